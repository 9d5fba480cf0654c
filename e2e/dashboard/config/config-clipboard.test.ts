import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { press } from '../read-focus.ts'

let dashboard: Dashboard
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  await createConfigFixture(dashboard.service)
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  await seat.go('/config')
  await page.getByRole('grid').waitFor()
})

/** The cell of a key, by its column: 1 development, 2 staging, 3 production. */
const cell = (key: string, column: number) => page.locator(`[id="cell-${column}-${key}"]`)

const stagedCells = () =>
  page
    .locator('[role=gridcell][data-staged]')
    .evaluateAll((cells) => cells.map(({ id }) => id.replace('cell-', '')))

const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
const writeClipboard = (text: string) =>
  page.evaluate((copied) => navigator.clipboard.writeText(copied), text)

const activeCell = () => page.evaluate(() => document.activeElement?.id)

describe('cells by keyboard', () => {
  it('are copied and pasted, and a hidden secret is not', async () => {
    await cell('apiUrl', 1).click()
    await press(page, 'Control+c')
    await expect.poll(readClipboard).toBe('https://api.dev.example.com')
    await cell('stripeSecretKey', 3).click()
    await press(page, 'Control+c')
    await page.getByText('Nothing to copy: the value is secret').waitFor()
    expect(await readClipboard()).toBe('https://api.dev.example.com')
    await cell('apiUrl', 3).click()
    await press(page, 'Control+v')
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    expect(await stagedCells()).toEqual(['3-apiUrl'])
    expect(await cell('apiUrl', 3).textContent()).toContain('https://api.dev.example.com')
  })

  it('take several lines and columns, but for those of the wrong type, which are named', async () => {
    await writeClipboard('https://a.example.com\thttps://b.example.com\nsoon\t2500\n')
    await cell('apiUrl', 1).click()
    await press(page, 'Control+v')
    await page.getByText('of the wrong type: checkoutTimeoutMs in development.').waitFor()
    expect(await stagedCells()).toEqual(['1-apiUrl', '2-apiUrl', '2-checkoutTimeoutMs'])
    expect(await cell('checkoutTimeoutMs', 1).textContent()).toContain('1000')
    expect(await cell('checkoutTimeoutMs', 2).textContent()).toContain('2500')
  })

  it('are unset by Delete', async () => {
    await cell('welcomeText', 1).click()
    await press(page, 'Delete')
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    expect(await stagedCells()).toEqual(['1-welcomeText'])
    expect(await cell('welcomeText', 1).innerText()).toContain('unset')
  })

  it('give up what was staged last by Ctrl+Z, a paste as a whole, and take it again with Shift', async () => {
    await cell('supportEmail', 1).click()
    await page.keyboard.type('help@example.com')
    await press(page, 'Enter')
    await writeClipboard('https://a.example.com\thttps://b.example.com\n')
    await cell('apiUrl', 1).click()
    await press(page, 'Control+v')
    const pasted = ['1-apiUrl', '2-apiUrl', '1-supportEmail']
    await expect.poll(stagedCells).toEqual(pasted)
    await cell('welcomeText', 3).click()
    await press(page, 'Control+z')
    await expect.poll(stagedCells).toEqual(['1-supportEmail'])
    expect(await activeCell()).toBe('cell-1-apiUrl')
    await press(page, 'Control+z')
    await expect.poll(stagedCells).toEqual([])
    await press(page, 'Control+z', 'Control+Shift+z', 'Control+Shift+z')
    await expect.poll(stagedCells).toEqual(pasted)
    // In a field it is the browser's, for what is typed there.
    await cell('welcomeText', 3).focus()
    await page.keyboard.type('Hello')
    await press(page, 'Control+z')
    expect(await stagedCells()).toEqual(pasted)
    await press(page, 'Escape')
    await page
      .getByRole('textbox', { name: 'welcomeText in production' })
      .waitFor({ state: 'detached' })
    expect(await stagedCells()).toEqual(pasted)
  })

  it('are what Enter leaves, and not what Escape does', async () => {
    await cell('welcomeText', 1).click()
    await page.keyboard.type('Thought better of')
    await press(page, 'Escape')
    await page.getByRole('textbox').filter({ hasText: 'Thought' }).waitFor({ state: 'detached' })
    expect(await stagedCells()).toEqual([])
    expect(await activeCell()).toBe('cell-1-welcomeText')
  })

  it('are not staged anew by Ctrl+Z once they are saved', async () => {
    await cell('welcomeText', 1).click()
    await page.keyboard.type('Hello')
    await press(page, 'Enter', 'Control+s')
    const drawer = page.getByRole('dialog', { name: 'Review 1 change' })
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in development.').waitFor()
    await drawer.waitFor({ state: 'detached' })
    await cell('welcomeText', 1).focus()
    await press(page, 'Control+z', 'Control+Shift+z')
    expect(await stagedCells()).toEqual([])
  })
})
