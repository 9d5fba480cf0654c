import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { press } from '../read-focus.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  for (let nth = 0; nth < 12; nth += 1) {
    await dashboard.service.ask('POST /environments', { name: `preview-${nth}` })
  }
})
afterAll(() => dashboard.close())

it('a screen stays where it was scrolled to while something opens above it, another one begins at its top, and going back finds the place', async () => {
  const seat = await dashboard.open({ width: 390 })
  const { page } = seat
  await seat.go('/environments')
  const scrolled = () => page.evaluate(() => scrollY)
  await page.getByRole('button', { name: 'Actions for preview-9' }).click()
  const before = await scrolled()
  expect(before).toBeGreaterThan(500)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').waitFor()
  await page.waitForURL('**panel=edit**')
  expect(await scrolled()).toBe(before)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await scrolled()).toBe(before)
  // By keyboard: the button of the navigation is at the top, and would be scrolled to.
  await press(page, 'g', 'l')
  await page.getByRole('heading', { name: 'Timeline', level: 1 }).waitFor()
  await expect.poll(scrolled).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name: 'Environments', level: 1 }).waitFor()
  await expect.poll(scrolled).toBe(before)
})
