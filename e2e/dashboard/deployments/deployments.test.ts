import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { hostileText, openPipeline, type Pipeline } from './play-deployments.ts'

let dashboard: Dashboard
let pipeline: Pipeline

beforeAll(async () => {
  dashboard = await openDashboard()
  pipeline = openPipeline(dashboard.service)
})
afterAll(() => dashboard.close())

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') })

describe('deployments, before there are any', () => {
  it('say why there are none and what to do, in both themes', async () => {
    const seat = await dashboard.open()
    await seat.go('/deployments')
    const why = seat.page.getByRole('region', { name: 'No deployments yet' })
    const first = why
      .getByRole('listitem')
      .filter({ has: seat.page.getByLabel('Problem') })
      .first()
    await seat.picture('deployments-empty')
    // There is nothing to fetch from.
    expect(await seat.page.getByRole('button', { name: 'Sync now' }).count()).toBe(0)
    expect(await seat.violationsInBothThemes('main')).toEqual([])
    await first.getByRole('link').click()
    await seat.page.waitForURL('**/acme/integrations/codehost')
  })
})

describe('deployments', () => {
  beforeAll(async () => {
    await dashboard.service.connect('tracker')
    const old = await pipeline.deploy({ message: 'ABC-1 Keep the currency' })
    await pipeline.test(old, { failed: 3 })
    await pipeline.age(old, 3)
    await pipeline.deploy({
      environment: 'production',
      message: hostileText,
      ref: 'feat/' + 'x'.repeat(200),
    })
    await pipeline.deploy({ state: 'failure', message: 'ABC-2 Show the date' })
  })

  it('are narrowed by the address, and by what is chosen on the page', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/deployments?state=failure')
    await page.getByText('ABC-2 Show the date').waitFor()
    expect(await rows(page).count()).toBe(1)
    await page.getByLabel('State').selectOption({ label: 'All' })
    await page.getByText('ABC-1 Keep the currency').waitFor()
    await page.getByLabel('Issue key').fill('abc-1')
    await page.waitForURL('**/deployments?issue=abc-1')
    await expect.poll(() => rows(page).count(), { timeout: 60_000 }).toBe(1)
    await page.getByRole('textbox', { name: 'Branch' }).fill('none')
    await page.getByText('No matching deployments').waitFor()
    expect(await look(seat, 'deployments-no-match')).toEqual([])
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect.poll(() => rows(page).count(), { timeout: 60_000 }).toBe(3)
  })

  it('do not move under the eyes of who reads: what is new waits behind a button', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/deployments')
    await page.locator('[data-live=live]').waitFor()
    const before = await rows(page).allInnerTexts()
    const place = await rows(page).first().boundingBox()
    const id = await pipeline.deploy({ environment: 'development', message: 'Came later' })
    const pill = page.getByRole('button', { name: '1 new' })
    await pill.waitFor()
    expect(await rows(page).count()).toBe(before.length)
    expect(await rows(page).first().boundingBox()).toEqual(place)
    await seat.picture('deployments-new')
    // By the keyboard: it comes before the list.
    await pill.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Came later').waitFor()
    await expect.poll(() => pill.count()).toBe(0)
    // Changed rows change where they are.
    await pipeline.test(id, {})
    await page.getByRole('row', { name: /Came later.*412 passed/ }).waitFor()
  })
})
