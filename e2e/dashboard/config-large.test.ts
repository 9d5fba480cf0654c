import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

const keys = 2_000
const nameOf = (nth: number) => `key${String(nth).padStart(4, '0')}`

let dashboard: Dashboard
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard.service
  await ask('POST /environments', { name: 'preview' })
  const schema = Object.fromEntries(
    Array.from({ length: keys }, (_, nth) => [
      nameOf(nth),
      { type: 'string', tier: 'public', default: `value ${nth}` },
    ]),
  )
  await ask('POST /config-schemas', { name: 'large', schema })
  seat = await dashboard.open()
  page = seat.page
  await seat.go('/config')
  await page.getByRole('grid').waitFor()
}, 120_000)
afterAll(() => dashboard.close())

const cell = (nth: number, column: number) => page.locator(`[id="cell-${column}-${nameOf(nth)}"]`)
const active = () => page.evaluate(() => document.activeElement?.id)
const drawn = () => page.getByRole('rowheader').count()

describe(`a matrix of ${keys} keys in four environments`, () => {
  it('draws the part that is looked at, to its very end, and keeps the focus in a cell', async () => {
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(keys + 1))
    await cell(0, 1).click()
    expect(await drawn()).toBeLessThan(100)
    await page.keyboard.press('Control+End')
    await cell(keys - 1, 4).waitFor()
    expect(await active()).toBe(`cell-4-${nameOf(keys - 1)}`)
    expect(await cell(0, 1).count()).toBe(0)
    expect(await drawn()).toBeLessThan(100)
    for (let pages = 0; pages < 5; pages += 1) {
      await page.keyboard.press('PageUp')
      expect(await active()).toMatch(/^cell-4-key19/)
    }
    await page.keyboard.press('Control+Home')
    await cell(0, 0).waitFor()
    expect(await active()).toBe(`cell-0-${nameOf(0)}`)
  })

  it('finds a key in the middle, and edits the last one', async () => {
    const filter = page.getByLabel('Filter keys')
    await filter.fill('key1234')
    await cell(1234, 2).waitFor()
    expect(await drawn()).toBe(1)
    await filter.fill('')
    await cell(0, 2).click()
    await page.keyboard.press('Control+End')
    await cell(keys - 1, 4).waitFor()
    await page.keyboard.type('the last')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    expect(await cell(keys - 1, 4).textContent()).toContain('the last')
    expect(seat.complaints()).toEqual([])
  })
})
