import type { Page } from 'playwright-core'

/** Allows everything on the pages of a provider, however many it shows, until the browser is back at the service. */
export async function allowAtProvider(page: Page, apiUrl: string): Promise<void> {
  await page.waitForURL((url) => !url.href.startsWith(apiUrl))
  while (!page.url().startsWith(apiUrl)) {
    const before = page.url()
    await page
      .getByRole('button', { name: /allow|install|accept|authorize/i })
      .first()
      .click()
    await page.waitForURL((url) => url.href !== before)
  }
}
