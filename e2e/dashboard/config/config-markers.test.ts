import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { addPerson } from '../people/play-people.ts'

let dashboard: Dashboard
let places: ConfigFixture
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  await seat.go('/config')
  await page.getByRole('grid').waitFor()
})
afterEach(async () => {
  const complaints = seat.complaints()
  await seat.close()
  if (complaints.length > 0) throw new Error(complaints.join())
})

/** Returns the texts of a key's cells, from development to production. */
const readRow = async (key: string, on = page) => {
  const texts = await Promise.all(
    [1, 2, 3].map((column) => on.locator(`[id="cell-${column}-${key}"]`).innerText()),
  )
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

const keysShown = () =>
  page
    .getByRole('rowheader')
    .evaluateAll((cells) => cells.map(({ id }) => id.replace('cell-0-', '')))

const withDriftSign = () =>
  page
    .getByRole('rowheader')
    .filter({ has: page.getByRole('img', { name: 'differs', exact: true }) })
    .evaluateAll((cells) => cells.map(({ id }) => id.replace('cell-0-', '')))

/** Returns the texts of a secret's cells in its three environments. */
const secretRow = () => readRow('stripeSecretKey')

describe('a cell of the matrix', () => {
  it('says where its value is from, or that there is none', async () => {
    expect(await readRow('supportEmail')).toEqual([
      'dev@example.com',
      'dev@example.com ↑ development',
      'missing',
    ])
    expect(await readRow('checkoutTimeoutMs')).toEqual(['1000 default', '1500', '1000 default'])
    expect((await readRow('welcomeText'))[2]).toBe('not set')
    expect(await readRow('searchV2')).toEqual(['on', 'on ↑ development', 'off'])
    expect(await readRow('newCheckout')).toEqual(['off default', 'off default', 'off default'])
    expect(await readRow('databaseUrl')).toEqual(['not set', 'not set', '••••••••'])
  })
})

describe('keys that differ or are missing', () => {
  const uneven = [
    'apiUrl',
    'checkoutTimeoutMs',
    'searchV2',
    'stripeSecretKey',
    'databaseUrl',
    'supportEmail',
    'welcomeText',
  ]

  it('have a sign, and are left alone by a box that the address and a reload know', async () => {
    expect(await keysShown()).toContain('newCheckout')
    expect(await withDriftSign()).toEqual(uneven)
    await page.getByRole('checkbox', { name: 'Only drift or missing' }).check()
    await page.getByText('7 of 8 keys').waitFor()
    expect(await keysShown()).toEqual(uneven)
    await page.waitForURL(/[?&]only=uneven(&|$)/)
    await page.reload()
    await page.getByRole('checkbox', { name: 'Only drift or missing', checked: true }).waitFor()
    await page.getByText('7 of 8 keys').waitFor()
    expect(await keysShown()).toEqual(uneven)
    await page.getByRole('checkbox', { name: 'Only drift or missing' }).uncheck()
    await page.getByText('8 keys', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.has('only')).toBe(false)
  })
})

describe('secrets of a key', () => {
  it('say that they differ, and once one is saved as the other, that they are the same', async () => {
    expect(await secretRow()).toEqual(['••••••••', '•••••••• ↑ development', '•••••••• differs'])
    await page.locator('[id="cell-1-stripeSecretKey"]').click()
    await page.keyboard.type('the secret of production')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    const drawer = page.getByRole('dialog', { name: 'Review 1 change' })
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in development.').waitFor()
    await expect
      .poll(secretRow)
      .toEqual(['••••••••', '•••••••• ↑ development', '•••••••• = development'])
    expect(await withDriftSign()).not.toContain('stripeSecretKey')
    expect((await places.read('development'))['stripeSecretKey']?.value).toBe(
      'the secret of production',
    )
  })

  it('are not compared for those who may not change them', async () => {
    const viewer = await addPerson(dashboard, { name: 'Vera', role: 'viewer' })
    await places.set('staging', { stripeSecretKey: 'the secret of staging' })
    await expect.poll(secretRow).toEqual(['••••••••', '•••••••• differs', '•••••••• = development'])
    const seen = await dashboard.open({ session: viewer.session })
    await seen.go('/config')
    await seen.page.getByRole('grid').waitFor()
    expect(await readRow('stripeSecretKey', seen.page)).toEqual([
      '••••••••',
      '••••••••',
      '••••••••',
    ])
    await seen.close()
  })
})

describe('flags that are settled', () => {
  const box = () => page.getByRole('checkbox', { name: 'Stale (unchanged for 30 days)' })

  it('are those that were the same everywhere for more than thirty days, as the address knows', async () => {
    await places.set('production', { searchV2: true })
    await seat.go('/flags')
    await box().check()
    await page.getByText('No flag is stale').waitFor()
    await page.waitForURL(/[?&]only=settled(&|$)/)
    const inFortyDays = Date.now() + 40 * 24 * 3_600_000
    await page.clock.setFixedTime(inFortyDays)
    await page.reload()
    await page.getByText('1 of 2 flags').waitFor()
    expect(await keysShown()).toEqual(['searchV2'])
    expect(await seat.accessibilityFaults()).toEqual([])
    await seat.picture('flags-settled')
    await box().uncheck()
    await page.getByText('2 flags', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.has('only')).toBe(false)
  })
})
