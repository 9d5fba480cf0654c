import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { openPipeline } from '../deployments/play-deployments.ts'

let dashboard: Dashboard
let seat: Seat
let page: Page

const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** More than the list asks for at once, which is 50. */
const count = 57

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  const pipeline = openPipeline(service)
  const old = await pipeline.deploy({ environment: 'production', message: 'ABC-1 The oldest' })
  await pipeline.test(old, { failed: 3 })
  await pipeline.age(old, 2)
  const before = await pipeline.deploy({ message: 'A day before' })
  await pipeline.age(before, 1)
  for (let made = 2; made < count; made += 1) {
    await pipeline.deploy({
      environment: made % 2 === 0 ? 'staging' : 'development',
      ...(made % 10 === 0 && { state: 'failure' }),
      ref: made % 3 === 0 ? 'release' : 'main',
    })
  }
})
afterAll(() => dashboard.close())
beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

const rows = () => page.getByRole('row').filter({ has: page.getByRole('link') })
async function countRows(expected: number): Promise<void> {
  await expect.poll(() => rows().count()).toBe(expected)
}
const state = () => page.getByLabel('State').locator('option:checked').innerText()

describe('a list of deployments longer than a page', () => {
  it('is read on at its end: nothing moves, the keyboard stays there, and each is there once', async () => {
    await seat.go('/deployments')
    await countRows(50)
    const more = page.getByRole('button', { name: 'Show more' })
    await more.focus()
    const last = rows().nth(49)
    const [top, text] = [await topOf(last), await last.innerText()]
    await page.keyboard.press('Enter')
    await countRows(count)
    expect([await topOf(last), await last.innerText()]).toEqual([top, text])
    // The button has gone with the last page; the keyboard goes on from there, and not from the top.
    expect(await more.count()).toBe(0)
    await expect.poll(() => page.locator(':focus').innerText()).toBe('That is all.')
    await page.keyboard.press('Shift+Tab')
    const lastRow = rows().last()
    expect(await lastRow.evaluate((row) => row.contains(document.activeElement))).toBe(true)
    const links = await rows()
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(new Set(links.filter((href) => href?.includes('/deployments/dep_'))).size).toBe(count)
    expect(await look(seat, 'deployments-more')).toEqual([])
  })

  it('is where it was after a look at one of its deployments, however far one had read', async () => {
    await seat.go('/deployments')
    await countRows(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await countRows(count)
    const link = page.getByRole('link', { name: 'ABC-1 The oldest' })
    await link.scrollIntoViewIfNeeded()
    await link.click()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    await page.goBack()
    await countRows(count)
    await expect.poll(() => link.evaluate(isInView)).toBe(true)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  })
})

describe('the filters of the address', () => {
  it('come back with the back button and go with the forward button', async () => {
    await seat.go('/deployments?state=failure')
    await countRows(5)
    await rows().first().getByRole('link').first().click()
    await page.getByRole('region', { name: 'Timeline' }).waitFor()
    await page.getByRole('link', { name: 'Deployments', exact: true }).first().click()
    await countRows(50)
    expect(await state()).toBe('All')
    await page.goBack()
    await page.goBack()
    await page.waitForURL('**/deployments?state=failure')
    await countRows(5)
    expect(await state()).toBe('Failed')
    await page.goForward()
    await page.goForward()
    await countRows(50)
    expect(await state()).toBe('All')
  })
})

const topOf = async (row: ReturnType<typeof rows>) => (await row.boundingBox())?.y
