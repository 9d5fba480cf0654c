import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnished, type Furnished } from './furnished.ts'
import { focused, press, tabTo } from './read-focus.ts'

let dashboard: Furnished

beforeAll(async () => {
  dashboard = await openFurnished()
})
afterAll(() => dashboard.close())

describe('by the keyboard alone', () => {
  it('one signs in, chooses an organization, opens a deployment and runs its workflow', async () => {
    const seat = await dashboard.open({ session: null })
    const { page } = seat
    await page.goto(`${dashboard.service.apiUrl}/orgs`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await tabTo(page, 'E-mail')
    await page.keyboard.type('ada@example.com')
    await tabTo(page, 'Password')
    await page.keyboard.type('a password of the tests, long enough')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Organizations' }).waitFor()
    await tabTo(page, /^Acme/)
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await press(page, 'g', 'd')
    await page.getByRole('heading', { name: 'Deployments', level: 1 }).waitFor()
    await tabTo(page, 'ABC-1 Keep the currency')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'ABC-1 Keep the currency' }).waitFor()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    await tabTo(page, 'Run tests again')
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Run tests' })
    await dialog.getByLabel('Branch or tag').waitFor()
    await tabTo(page, 'Branch or tag')
    await press(page, 'Enter')
    await dialog.getByRole('link', { name: 'Open the run' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Done')
    await press(page, 'Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Run tests again')
  })

  it('one finds a flag, turns it, reviews that and saves it, and is told once the server is gone and back', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('')
    await press(page, 'Control+k')
    await page.keyboard.type('newCheckout')
    await page.getByRole('option', { name: /^newCheckout.*Key$/ }).waitFor()
    await press(page, 'Enter')
    const cell = page.locator('[id="cell-1-newCheckout"]')
    await cell.waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe('cell-1-newCheckout')
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await press(page, 'Space', 'Control+s')
    await review.waitFor()
    await tabTo(page, 'Save')
    const isWrite = (route: Route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort()
    await page.route('**/organizations/**', isWrite)
    await press(page, 'Enter')
    await review.getByText(/server isn’t responding\. Try again/i).waitFor()
    await page.unroute('**/organizations/**', isWrite)
    await tabTo(page, 'Save')
    await press(page, 'Enter')
    await page.getByText('1 change saved in development.').waitFor()

    await page.route('**/organizations/**', (route) =>
      route.request().url().includes('/events') ? route.continue() : route.abort(),
    )
    await page.getByRole('link', { name: 'Schemas' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('status').getByText('Server not responding').waitFor()
    await page.getByText('The page loads once the server responds').first().waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  })

  it('one edits a value, reviews it, saves it and takes it back', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('')
    await press(page, 'g', 'c')
    const grid = page.getByRole('grid')
    await grid.waitFor()
    await tabTo(page, 'Export')
    const inGrid = () => page.evaluate(() => document.activeElement?.id.startsWith('cell-'))
    for (let presses = 0; presses < 12 && (await inGrid()) !== true; presses += 1)
      await press(page, 'Tab')
    await press(page, 'Control+Home', 'ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('cell-1-apiUrl')
    await press(page, 'F2', 'Control+a')
    await page.keyboard.type('https://by-keyboard.example.com')
    await press(page, 'Enter', 'Control+s')
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByText('https://by-keyboard.example.com').waitFor()
    await tabTo(page, 'Save')
    await press(page, 'Enter')
    await page.getByText('1 change saved in development.').waitFor()
    await review.waitFor({ state: 'detached' })
    expect(await focused(page)).not.toBe('body')
    await press(page, 'F6')
    expect(await focused(page)).toBe('Undo')
    await press(page, 'Enter')
    await page.getByText('Undone').waitFor()
    await page.locator('[id="cell-1-apiUrl"]').getByText('https://api.dev.example.com').waitFor()
    expect(await focused(page)).not.toBe('body')
  })
})
