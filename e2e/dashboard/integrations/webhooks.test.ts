import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { hostileText } from '../deployments/play-deployments.ts'

let dashboard: Dashboard
let shop: Shop
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  shop = openShop(service.sandbox)
  await service.connect('codehost')
  shop.push(hostileText)
  shop.deploy('staging', ['success'])
  seat = await dashboard.open()
  page = seat.page
  await seat.go('/webhooks')
})
afterAll(() => dashboard.close())

const rows = () => page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Open' }) })

/** As if work on what has come had failed for good. */
const fail = (event: string) =>
  dashboard.service.asOwner(
    `update received_webhooks set state = 'dead', reason = 'The code host did not answer. (timeout)' where event = $1`,
    [event],
  )

/** Returns the states of the webhooks of an event, each with its origin. */
const statesOf = async (event: string) => {
  const rows = await dashboard.service.asOwner(
    'select state, origin from received_webhooks where event = $1',
    [event],
  )
  return rows.map(({ state, origin }) => `${String(state)} by ${String(origin)}`)
}

describe('webhooks', () => {
  it('show what was sent as text, whatever it says', async () => {
    await page.getByLabel('Event').fill('push')
    await page.keyboard.press('Enter')
    await rows().first().getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    await page.getByText('<img src=x onerror=').first().waitFor()
    expect(await page.title()).toBe('Incoming webhooks · Signalbox')
    expect(await look(seat, 'webhook-hostile')).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('that failed say why, and are replayed one by one', async () => {
    await expect.poll(async () => await fail('deployment')).toBeDefined()
    await seat.go('/webhooks?state=dead')
    const failed = rows().first()
    await failed.getByText('The code host did not answer. (timeout)').waitFor()
    const other = await dashboard.open()
    await other.go('/webhooks?state=dead')
    await other.page.getByText('The code host did not answer. (timeout)').waitFor()
    expect(await lookEverywhere(other, 'webhooks-failed')).toEqual([])
    await other.close()
    await failed.getByRole('button', { name: 'Open' }).click()
    await page
      .getByRole('dialog')
      .getByText(/Permanently failed/)
      .waitFor()
    await press(page, 'Replay')
    await page.getByText('The webhook is being replayed.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing matches').waitFor()
    // Not only called so: the work on it was done.
    await expect
      .poll(async () => new Set(await statesOf('deployment')))
      .toEqual(new Set(['done by replay']))
  })

  it('that failed are replayed all at once, and it says how many', async () => {
    await fail('deployment_status')
    await seat.go('/webhooks?state=dead')
    await rows().first().waitFor()
    await press(page, 'Replay failed')
    await page.getByText('1 webhook is being replayed.').waitFor()
    await page.getByText('Nothing matches').waitFor()
    await expect.poll(() => statesOf('deployment_status')).toEqual(['done by replay'])
    await press(page, 'Replay failed')
    await page.getByText('No webhook has failed.').waitFor()
  })
})
