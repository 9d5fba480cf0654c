import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { allowAtProvider } from '../integrations/allow-at-provider.ts'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { openPipeline, type Pipeline } from './play-deployments.ts'

let dashboard: Dashboard
let pipeline: Pipeline
let shop: Shop
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  pipeline = openPipeline(dashboard.service)
  shop = openShop(dashboard.service.sandbox)
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

const region = (name: string) => page.getByRole('region', { name, exact: true })
const timeline = () => region('Timeline')
const step = (title: string | RegExp) =>
  timeline().getByRole('listitem').filter({ hasText: title }).first()

/** Presses the button of a provider, allows everything on its pages, and is back. */
async function connect(kind: string, name: string | RegExp): Promise<void> {
  const { apiUrl } = dashboard.service
  await page.getByRole('button', { name }).first().click()
  await allowAtProvider(page, apiUrl)
  await page.waitForURL(`${apiUrl}/acme/integrations/${kind}`)
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly sha: string }[]
}

/** The id of the deployment of a commit, once the code host has told of it. */
const arrived = (sha: string) =>
  vi.waitFor(
    async () => {
      const { items } = await dashboard.service.ask<Listed>('GET /deployments')
      const found = items.find((item) => item.sha === sha)
      if (found === undefined) throw new Error('The deployment has not arrived')
      return found.id
    },
    { timeout: 60_000 },
  )

/** Each goes on where the one before it has stopped. */
describe('a step that was left out', () => {
  let id: string

  it('because no tracker is connected has its issue once one is connected from it', async () => {
    id = await pipeline.deploy({ message: 'ABC-1 Keep the currency' })
    await seat.go(`/deployments/${id}`)
    await step('ABC-1 is not looked up').getByRole('link', { name: 'Open Jira' }).click()
    await connect('tracker', 'Connect Jira')
    await seat.go(`/deployments/${id}`)
    await step('1 of 1 issue linked').waitFor()
    expect(await step('ABC-1 is not looked up').count()).toBe(0)
    await region('Issues').getByText('The basket forgets its currency').waitFor()
  })

  it('because no chat is connected asks for the channel once one is connected from it', async () => {
    await step('No chat is connected.').getByRole('link', { name: 'Open Slack' }).click()
    await connect('chat', 'Connect Slack')
    await seat.go(`/deployments/${id}`)
    await step('No channel is chosen.').getByRole('link', { name: 'Choose the channel' }).waitFor()
    expect(await step('No chat is connected.').count()).toBe(0)
    await region('Message').getByText('See the timeline.').waitFor()
  })

  it('because the code host did not show the commits has them after a sync from it', async () => {
    const { service } = dashboard
    await service.connect('codehost')
    shop.push('ABC-1 Keep the currency')
    await arrived(shop.deploy('staging', ['success']))
    const forbidden = { kind: 'answer', status: 403, body: '{"message":"Forbidden"}' } as const
    for (const request of ['GET /repositories', 'GET /repos']) {
      service.sandbox.faults.add({ provider: 'github', request, times: 50, fault: forbidden })
    }
    shop.push('ABC-2 Show the date')
    const unseen = await arrived(shop.deploy('staging', ['success']))
    await seat.go(`/deployments/${unseen}`)
    const left = step('Couldn’t compare commits')
    await left.getByText(/^GitHub doesn’t let Signalbox read/).waitFor()
    expect(await look(seat, 'deployment-commits-unseen')).toEqual([])
    service.sandbox.faults.reset()
    await left.getByRole('button', { name: 'Sync now' }).click()
    await page.waitForURL('**?sync=syn_*')
    await page.getByText(/^Synced: /).waitFor()
    await step('1 commit compared').waitFor()
    await expect.poll(() => left.count()).toBe(0)
  })

  it('because the workflow cannot be started leads to the choice of another one', async () => {
    await dashboard.service.ask('PATCH /integrations/codehost', {
      testWorkflows: [{ workflowId: 'gone.yml', debounceSeconds: 0 }],
    })
    shop.push('Nothing of an issue')
    const untested = await arrived(shop.deploy('staging', ['success']))
    await seat.go(`/deployments/${untested}`)
    const left = step('Test run gone.yml')
    await left.getByText('The workflow doesn’t exist, or Signalbox may not see it.').waitFor()
    await left.getByText('Choose another workflow, then run it.').waitFor()
    await left.getByRole('button', { name: 'Run tests' }).waitFor()
    expect(await look(seat, 'deployment-workflow-gone')).toEqual([])
    await left.getByRole('link', { name: 'Choose the workflow' }).click()
    await page.waitForURL('**/acme/integrations/codehost')
  })
})
