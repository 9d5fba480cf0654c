import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAll } from '../testing/connect-organization.ts'
import { openConnected, type Connected } from '../testing/open-connected.ts'
import { openShop, type Shop } from '../testing/play-push.ts'

type Found = { readonly items: readonly { readonly id: string; readonly name: string }[] }
type Decisions = { readonly items: readonly Readonly<Record<string, unknown>>[] }

let service: Connected
let shop: Shop
let staging: string

beforeAll(async () => {
  service = await openConnected({ initialHoldMs: 300 })
  shop = openShop(service.sandbox)
  await connectAll(service)
  const { ask, sandbox } = service
  await ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  await ask('PATCH /integrations/codehost', {
    testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
  })
  const environments = (await ask<Found>('GET /environments')).items
  const idOf = (name: string) => environments.find((one) => one.name === name)?.id ?? ''
  staging = idOf('staging')
  await ask('POST /gates', {
    name: 'Tests first',
    environmentIds: [idOf('production')],
    repositories: [],
    mode: 'enforce',
    rules: [{ rule: 'tests', environmentId: staging, withinHours: 24 }],
  })
  const { activity, app } = sandbox.github
  activity.protectEnvironment(shop.repository, 'production', app)
})
afterAll(() => service.close())

/** Has a run on main wait before it deploys to production. */
function beginProduction() {
  const { activity, state } = service.sandbox.github
  const ada = state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost Ada.')
  const run = shop.requestRun()
  const of = { run, environment: 'production', creator: ada }
  const deployment = activity.beginDeployment(shop.repository, of)
  const find = () => shop.repository.waits.findLast(({ runId }) => runId === run.id)
  return { run, deployment, find }
}

describe('a run that the pretended code host holds', () => {
  it('hears what it waits for, goes on once the tests of its commit have passed, and its message says how long that took', async () => {
    const sha = shop.push('ABC-1 Sell hats')
    const { find, deployment } = beginProduction()
    await expect
      .poll(() => find()?.comments.join('\n'), { timeout: 40_000 })
      .toContain(`Waits for the tests of ${sha.slice(0, 7)} in staging.`)
    expect(find()?.answer).toBeUndefined()
    shop.deploy('staging', ['in_progress', 'success'])
    await expect.poll(() => find()?.answer?.state, { timeout: 60_000 }).toBe('approved')
    const { items } = await service.ask<Decisions>(`GET /gate-decisions?sha=${sha}`)
    expect(items).toMatchObject([{ state: 'passed', via: 'rule', answer: { state: 'sent' } }])
    const { activity, state } = service.sandbox.github
    const ada = state.accounts.get('ada')
    if (ada === undefined) throw new Error('The seed has lost Ada.')
    const done = { state: 'success', creator: ada } as const
    activity.setDeploymentStatus(shop.repository, deployment, done)
    const messages = () => JSON.stringify(service.sandbox.slack.messages('deployments'))
    await expect
      .poll(messages, { timeout: 40_000 })
      .toMatch(new RegExp(`Waited \\d+ (s|min) for tests of ${sha.slice(0, 7)} in staging`))
  }, 180_000)

  it('started again waits anew, and an answer is for its own attempt', async () => {
    shop.push('ABC-2 Sell shoes')
    const { find } = beginProduction()
    await expect.poll(() => find()?.comments.length, { timeout: 40_000 }).toBe(1)
    shop.deploy('staging', ['in_progress', 'success'])
    await expect.poll(() => find()?.answer?.state, { timeout: 60_000 }).toBe('approved')
    const { items } = await service.ask<Decisions>('GET /gate-decisions?state=waiting')
    expect(items).toEqual([])
  }, 180_000)
})
