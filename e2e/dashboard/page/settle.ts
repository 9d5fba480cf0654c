import type { Page } from 'playwright-core'

/** Waits until the screen is there, and no skeleton is shown any more. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1, [role=alert]').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-label=Loading]') === null)
}
