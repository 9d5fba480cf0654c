import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let shop: Shop
let seat: Seat
let page: Page

const patient = { timeout: 60_000 }
const deployments = 6

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  shop = openShop(service.sandbox)
  await service.connect('codehost')
  for (let nth = 0; nth < deployments; nth += 1) {
    shop.push(`Change ${nth}`)
    shop.deploy('staging', ['in_progress'])
  }
  await vi.waitFor(async () => {
    const { items } = await service.ask<{ items: unknown[] }>('GET /deployments?inactive=include')
    if (items.length < deployments) throw new Error('They have not all arrived')
    // To connect begins a sync of its own, and whoever asks for one while it moves is given that one.
    const syncs = await service.asOwner('select id from syncs where finished_at is null')
    if (syncs.length > 0) throw new Error('The first sync has not ended')
  }, patient)
}, 120_000)
afterAll(() => dashboard.close())
beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => {
    dashboard.service.sandbox.faults.reset()
    return seat.close()
  }
})

const faultOf = (
  request: string,
  fault: Parameters<Dashboard['service']['sandbox']['faults']['add']>[0]['fault'],
) => dashboard.service.sandbox.faults.add({ provider: 'github', request, times: 50, fault })

const start = async () => {
  await seat.go('/deployments')
  await page.getByRole('button', { name: 'Sync now' }).click()
}

describe('a sync with the code host', () => {
  it('says how far each part of it is while it moves', async () => {
    // The statuses of each deployment, and nothing else that is read of the repository at the same time.
    faultOf(`GET /repositories/${shop.repository.id}/deployments/`, { kind: 'slow', ms: 1500 })
    await start()
    const status = page.getByRole('status').filter({ hasText: 'Syncing with GitHub.' })
    await status.getByText(/^Deployments [1-5]/).waitFor(patient)
    await status.getByText(/^Repositories (\d+) of \1$/).waitFor()
    expect(await look(seat, 'sync-moving')).toEqual([])
    await page.getByText(`Synced: checked ${deployments} deployments`).waitFor(patient)
    expect(await status.count()).toBe(0)
    expect(seat.complaints()).toEqual([])
  })

  it('says for what it waits when the code host asks for a pause', async () => {
    faultOf('GET /', { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } })
    await start()
    await page.getByText(/Waiting until .* UTC: GitHub asks for a pause\./).waitFor(patient)
    expect(await look(seat, 'sync-waits')).toEqual([])
    expect(seat.complaints()).toEqual([])
  })
})
