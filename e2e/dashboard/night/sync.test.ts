import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let shop: Shop
let seat: Seat
let page: Page

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
  await vi.waitFor(
    async () => {
      const { items } = await service.ask<{ items: unknown[] }>('GET /deployments?inactive=include')
      if (items.length < deployments) throw new Error('They have not all arrived')
      // To connect begins a sync of its own, and whoever asks for one while it moves is given that one.
      const syncs = await service.asOwner('select id from syncs where finished_at is null')
      if (syncs.length > 0) throw new Error('The first sync has not ended')
    },
    { timeout: 60_000 },
  )
})
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
  provider: 'github' | 'jira' = 'github',
) => dashboard.service.sandbox.faults.add({ provider, request, times: 50, fault })

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
    await status.getByText(/^Deployments [1-5]/).waitFor()
    await status.getByText(/^Repositories (\d+) of \1$/).waitFor()
    expect(await look(seat, 'sync-moving')).toEqual([])
    await page.getByText(`Synced: checked ${deployments} deployments`).waitFor()
    expect(await status.count()).toBe(0)
  })

  it('says for what it waits when the code host asks for a pause', async () => {
    faultOf('GET /', { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } })
    await start()
    await page.getByText(/Waiting until .* UTC: GitHub asks for a pause\./).waitFor()
    expect(await look(seat, 'sync-waits')).toEqual([])
  })
})

describe('a sync of issues', () => {
  const startIssues = async () => {
    await seat.go('/integrations/tracker')
    await page.getByRole('button', { name: 'Sync now' }).click()
  }

  it('reads what changed without a webhook, and says how far it is', async () => {
    const { service } = dashboard
    await service.connect('tracker')
    await startIssues()
    await page.getByText('Synced: no recent deployment names an issue.').waitFor()
    shop.push('ABC-1 Keep the currency')
    shop.deploy('staging', ['success'])
    const issues = () => service.asOwner<{ status: string }>('select status from issues')
    await expect.poll(issues).toEqual([{ status: 'In Progress' }])
    // Nothing else reads it meanwhile.
    const reading = `select id from pgboss.job
      where name in ('inbox.process', 'deployments.enrich') and state in ('created', 'retry', 'active')`
    await expect.poll(() => service.asOwner(reading)).toEqual([])
    service.sandbox.jira.setStatus('ABC-1', 'Done')
    faultOf('POST ', { kind: 'slow', ms: 1500 }, 'jira')
    await page.getByRole('button', { name: 'Sync now' }).click()
    const status = page.getByRole('status').filter({ hasText: 'Reading issues from Jira.' })
    await status.waitFor()
    expect(await look(seat, 'sync-issues-moving')).toEqual([])
    await page.getByText('Synced: read 1 issue, 1 had changed.').waitFor()
    expect(await issues()).toEqual([{ status: 'Done' }])
    expect(await look(seat, 'sync-issues-done')).toEqual([])
    // The address holds it, so that a reload shows it again.
    await page.reload()
    await page.getByText('Synced: read 1 issue, 1 had changed.').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Synced: read 1 issue').waitFor({ state: 'detached' })
  })

  it('says for what it waits when the tracker asks for a pause', async () => {
    faultOf('POST ', { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } }, 'jira')
    await startIssues()
    await page.getByText(/Waiting until .* UTC: Jira asks for a pause\./).waitFor()
    expect(seat.complaints()).toEqual([])
  })
})
