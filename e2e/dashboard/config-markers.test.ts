import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigPlaces, type ConfigPlaces } from './config-places.ts'
import { look } from './look.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigPlaces
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigPlaces(dashboard.service)
  seat = await dashboard.open()
  page = seat.page
  await seat.go('/config')
  await page.getByRole('grid').waitFor()
})
afterAll(() => dashboard.close())

/** The cell of a key, by its column: 1 development, 2 staging, 3 production. */
const cell = (key: string, column: number) => page.locator(`[id="cell-${column}-${key}"]`)
const differs = (key: string) => cell(key, 0).getByRole('img', { name: 'differs' })
const rows = () =>
  page
    .getByRole('rowheader')
    .evaluateAll((headers) => headers.map(({ id }) => id.replace('cell-0-', '')))

describe('the cells of the matrix', () => {
  it('say where a value is from, and that there is none', async () => {
    expect(await cell('checkoutTimeoutMs', 1).textContent()).toBe('1000default')
    expect(await cell('apiUrl', 2).textContent()).toMatch(/^https:.*↑ development$/)
    expect(await cell('apiUrl', 3).textContent()).toBe('https://api.example.com')
    expect(await cell('supportEmail', 3).textContent()).toBe(' missing')
    expect(await cell('welcomeText', 3).textContent()).toBe('not set')
    expect(await cell('databaseUrl', 1).textContent()).toBe('not set')
  })

  it('mark the keys that are not the same everywhere', async () => {
    for (const key of ['apiUrl', 'checkoutTimeoutMs', 'searchV2', 'stripeSecretKey'])
      expect([key, await differs(key).count()]).toEqual([key, 1])
    expect(await differs('newCheckout').count()).toBe(0)
  })

  it('are left to what differs or is missing on request, which the address keeps', async () => {
    const all = await rows()
    expect(all).toContain('newCheckout')
    await page.getByRole('checkbox', { name: 'Only drift or missing' }).check()
    await page.waitForURL('**only=uneven**')
    await cell('newCheckout', 0).waitFor({ state: 'detached' })
    const uneven = await rows()
    expect(uneven).toContain('supportEmail')
    expect(uneven).toContain('apiUrl')
    expect(await look(seat, 'config-uneven')).toEqual([])
    await page.reload()
    await cell('apiUrl', 0).waitFor()
    expect(await rows()).toEqual(uneven)
    await page.getByRole('checkbox', { name: 'Only drift or missing' }).uncheck()
    await cell('newCheckout', 0).waitFor()
    expect(await rows()).toEqual(all)
  })
})

describe('secrets, without anybody seeing them', () => {
  it('are told to be the same as in another environment, and to differ', async () => {
    await seat.go('/config')
    const ofProduction = cell('stripeSecretKey', 3)
    await differs('stripeSecretKey').waitFor()
    expect(await ofProduction.textContent()).not.toContain('=')
    await places.set('production', { stripeSecretKey: 'the secret of development' })
    await ofProduction.getByText('= development').waitFor()
    await differs('stripeSecretKey').waitFor({ state: 'detached' })
    await places.set('production', { stripeSecretKey: 'another secret' })
    await ofProduction.getByText('= development').waitFor({ state: 'detached' })
    await differs('stripeSecretKey').waitFor()
    expect(await page.content()).not.toContain('the secret of development')
    expect(seat.complaints()).toEqual([])
  })
})
