import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const pictures = join(import.meta.dirname, 'dashboard/pictures')

/**
 * Leaves a picture in `e2e/dashboard/pictures/{name}.png`, for people to look at, when `DASHBOARD_PICTURES=1`. No test
 * compares it, and Chromium takes longer for one of a whole page than for most of what a test asks.
 */
export async function takePicture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env['DASHBOARD_PICTURES'] !== '1') return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage })
}
