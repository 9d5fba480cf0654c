import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

/** Returns the texts of a key's cells, from development to production. */
const readRow = async (key: string, on = page) => {
  const texts = await Promise.all(
    [1, 2, 3].map((column) => on.locator(`[id="cell-${column}-${key}"]`).innerText()),
  )
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

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

describe('secrets of a key', () => {
  it('are shown as different, and as the same once one is saved with the value of the other', async () => {
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
  })
})
