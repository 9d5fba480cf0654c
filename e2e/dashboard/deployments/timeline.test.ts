import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { noonZone } from '../page/noon-zone.ts'
import { openPipeline } from './play-deployments.ts'

const timeZone = noonZone()

let dashboard: Dashboard
let places: ConfigFixture

beforeAll(async () => {
  dashboard = await openDashboard()
  const { deploy, test, age } = openPipeline(dashboard.service)
  const first = await deploy({ message: 'ABC-1 Keep the currency' })
  await test(first, { failed: 0 })
  // Within a day of the moment that is jumped to, which is the beginning of a minute.
  await age(first, 1 - 2 / 1440)
  await test(await deploy({ message: 'ABC-2 Round the total' }), { failed: 3 })
  await deploy({ repository: 'acme/mail', message: 'Send the receipt' })
  places = await createConfigFixture(dashboard.service)
  await dashboard.service.ask('PUT /config-values', {
    schemaId: places.schemaId,
    environmentId: places.environments['production'],
    values: { checkoutTimeoutMs: 2000 },
    comment: 'ABC-3 Patience',
  })
})
afterAll(() => dashboard.close())

/** The row of the change that is called so. */
const row = ({ page }: Seat, title: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })

describe('the timeline', () => {
  it('shows deployments, tests, configuration and flags as one list, each with who, why and what proves it', async () => {
    const seat = await dashboard.open({ timeZone })
    await seat.go('/timeline')
    const deployed = row(seat, 'ABC-2 Round the total')
    await deployed.getByText('Deployed', { exact: true }).waitFor()
    await deployed.getByText('3 failing').waitFor()
    // Its tests are shown with it, and not as an entry of their own.
    expect(await seat.page.getByText('End to end').count()).toBe(0)
    const written = row(seat, 'Values written in web').filter({ hasText: 'production' })
    const why = written.filter({ hasText: 'Patience' })
    await why.getByText('checkoutTimeoutMs').waitFor()
    expect(await why.getByRole('list', { name: 'Changed keys' }).innerText()).toMatch(/1000\s+2000/)
    await why.getByText('ABC-3', { exact: true }).waitFor()
    await why.getByText('Ada', { exact: true }).waitFor()
    await seat.page.getByRole('region', { name: 'Yesterday' }).waitFor()
  })

  it('shows a flag that somebody flips without being loaded again', async () => {
    const seat = await dashboard.open({ timeZone })
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total').waitFor()
    expect(await row(seat, 'newCheckout: off → on').count()).toBe(0)
    await places.set('production', { newCheckout: true })
    await row(seat, 'newCheckout: off → on').getByText('production').waitFor()
  })

  it('leads to all that is known of a change, and to its way back', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total')
      .getByRole('link', { name: /^Previous: / })
      .click()
    await page.getByRole('heading', { name: 'ABC-1 Keep the currency' }).waitFor()
    await page.goBack()
    await row(seat, 'newCheckout: off → on')
      .getByRole('link', { name: 'newCheckout: off → on' })
      .click()
    await page.getByRole('dialog').getByText('newCheckout').first().waitFor()
    await page.goBack()
    await row(seat, 'newCheckout: off → on')
      .getByRole('link', { name: /^Restore version \d+…$/ })
      .click()
    await page.getByRole('dialog', { name: /^Restore/ }).waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('takes one key back in three presses from the overview, and leaves the others of its version', async () => {
    await places.set('development', { checkoutTimeoutMs: 3000, welcomeText: 'wrong' })
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('')
    let presses = 0
    const press = async (target: Locator) => {
      presses += 1
      await target.click()
    }
    await press(page.getByRole('link', { name: 'Timeline', exact: true }))
    await press(page.getByRole('link', { name: 'Undo… welcomeText' }).first())
    const drawer = page.getByRole('dialog', { name: 'Undo the change of welcomeText' })
    await press(drawer.getByRole('button', { name: 'Undo' }))
    await page.getByText('Undone. The values are saved as a new version.').waitFor()
    expect(presses).toBe(3)
    const values = await places.read('development')
    expect(values['welcomeText']?.value).not.toBe('wrong')
    expect(values['checkoutTimeoutMs']?.value).toBe(3000)
  })

  it('shows chosen kinds, repositories, people and texts', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await row(seat, 'Send the receipt').waitFor()
    await page.getByRole('button', { name: 'Flags' }).click()
    await row(seat, 'Send the receipt').waitFor({ state: 'detached' })
    await row(seat, 'newCheckout: off → on').waitFor()
    await page.getByRole('button', { name: 'Flags' }).click()
    await page.getByLabel('Repository').selectOption('acme/mail')
    await row(seat, 'newCheckout: off → on').waitFor({ state: 'detached' })
    await row(seat, 'Send the receipt').waitFor()
    expect(await row(seat, 'ABC-2 Round the total').count()).toBe(0)
    await page.getByLabel('Repository').selectOption('')
    await page.getByLabel('Search changes').fill('round THE')
    await row(seat, 'Send the receipt').waitFor({ state: 'detached' })
    await row(seat, 'ABC-2 Round the total').waitFor()
    await page.getByLabel('Search changes').fill('')
    await row(seat, 'newCheckout: off → on').getByRole('button', { name: 'Ada' }).click()
    await page.waitForURL(/person=Ada/)
    await expect.poll(() => page.getByLabel('Person').inputValue()).toBe('Ada')
    await seat.go('/timeline?person=Grace')
    await page.getByText('No change matches').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await row(seat, 'ABC-2 Round the total').waitFor()
  })
})
