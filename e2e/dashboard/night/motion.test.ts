import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

/** The longest that anything on the page moves or fades, in milliseconds. */
const longestMotion = (page: Page) =>
  page.evaluate(() =>
    Math.max(
      0,
      ...document
        .getAnimations()
        .map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0)),
    ),
  )

/** Opens a screen whose answer does not come, so that its skeleton is shown. */
async function waitInVain(seat: Seat): Promise<void> {
  const { page } = seat
  await page.route('**/api-keys*', () => undefined)
  await page.goto(`${dashboard.service.apiUrl}/acme/keys`)
  await page
    .getByRole('region', { name: 'Keys' })
    .getByRole('status', { name: 'Loading' })
    .waitFor()
}

describe('whoever wants no motion', () => {
  it('sees none while something is being loaded, and none in menus, dialogs and messages', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await waitInVain(seat)
    await expect.poll(() => longestMotion(page)).toBeLessThanOrEqual(1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await seat.load('/keys')
    const motions: number[] = []
    for (const open of [
      () => page.getByRole('button', { name: 'Account of Ada' }).press('Enter'),
      () => page.keyboard.press('Control+k'),
      () => page.getByRole('combobox').fill('sync now'),
      () => page.keyboard.press('Enter'),
    ]) {
      await open()
      motions.push(await longestMotion(page))
    }
    expect(Math.max(...motions)).toBeLessThanOrEqual(1)
  })

  it('is told apart from everybody else, for whom the same page moves', async () => {
    const seat = await dashboard.open({ motion: true })
    await waitInVain(seat)
    expect(await longestMotion(seat.page)).toBeGreaterThan(500)
  })
})
