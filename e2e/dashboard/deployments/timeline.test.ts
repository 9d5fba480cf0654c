import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { lookEverywhere } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { asRole, openPipeline } from './play-deployments.ts'

let dashboard: Dashboard
let places: ConfigFixture

beforeAll(async () => {
  dashboard = await openDashboard()
  const { deploy, test, age } = openPipeline(dashboard.service)
  const first = await deploy({ message: 'ABC-1 Keep the currency' })
  await test(first, { failed: 0 })
  await age(first, 1)
  await test(await deploy({ message: 'ABC-2 Round the total' }), { failed: 3 })
  places = await createConfigFixture(dashboard.service)
  await dashboard.service.ask('PUT /config-values', {
    schemaId: places.schemaId,
    environmentId: places.environments['production'],
    values: { checkoutTimeoutMs: 2000 },
    comment: 'ABC-3 Patience',
  })
}, 60_000)
afterAll(() => dashboard.close())

/** The row of the change that is called so. */
const row = ({ page }: Seat, title: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })

describe('the timeline', () => {
  it('shows deployments, tests, configuration and flags as one list, each with who, why and what proves it', async () => {
    const seat = await dashboard.open()
    await seat.go('/timeline')
    const deployed = row(seat, 'ABC-2 Round the total')
    await deployed.getByText('Deployed', { exact: true }).waitFor()
    await deployed.getByText('3 failing').waitFor()
    await row(seat, 'End to end').getByText('412 passed').waitFor()
    const written = row(seat, 'Values written in web').filter({ hasText: 'production' })
    const why = written.filter({ hasText: 'Patience' })
    await why.getByText('checkoutTimeoutMs changed').waitFor()
    await why.getByText('ABC-3', { exact: true }).waitFor()
    await why.getByText('Ada', { exact: true }).waitFor()
    await seat.page.getByRole('region', { name: 'Yesterday' }).waitFor()
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })

  it('shows a flag that somebody flips without being loaded again', async () => {
    const seat = await dashboard.open()
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total').waitFor()
    expect(await row(seat, 'newCheckout on').count()).toBe(0)
    await places.set('production', { newCheckout: true })
    await row(seat, 'newCheckout on').getByText('production').waitFor()
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })

  it('leads to all that is known of a change, and to its way back', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total')
      .getByRole('link', { name: /^Back to/ })
      .click()
    await page.getByRole('heading', { name: 'ABC-1 Keep the currency' }).waitFor()
    await page.goBack()
    await row(seat, 'newCheckout on').getByRole('link', { name: 'newCheckout on' }).click()
    await page.getByRole('dialog').getByText('newCheckout').first().waitFor()
    await page.goBack()
    await row(seat, 'newCheckout on')
      .getByRole('link', { name: /^Back to version/ })
      .click()
    await page.getByRole('dialog', { name: /^Restore/ }).waitFor()
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })

  it('offers the way back to nobody who may not go it', async () => {
    await asRole(dashboard.service, 'viewer', async () => {
      const seat = await dashboard.open()
      await seat.go('/timeline')
      const flip = row(seat, 'newCheckout on')
      await flip.waitFor()
      expect(await flip.getByRole('link', { name: /^Back to version/ }).count()).toBe(0)
      await seat.close()
    })
  })

  it('keeps the environment that is looked at in the address', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/timeline')
    await page.getByLabel('Environment').selectOption('production')
    await row(seat, 'ABC-2 Round the total').waitFor({ state: 'detached' })
    expect(page.url()).toContain(`environment=${places.environments['production']}`)
    await page.reload()
    await row(seat, 'newCheckout on').waitFor()
    expect(await row(seat, 'ABC-2 Round the total').count()).toBe(0)
    await seat.close()
  })

  it('fits everywhere', async () => {
    const seat = await dashboard.open()
    await seat.go('/timeline')
    await seat.page.getByText('ABC-2 Round the total').waitFor()
    expect(await lookEverywhere(seat, 'timeline')).toEqual([])
    await seat.close()
  }, 60_000)
})
