import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectAll } from '../testing/connect-organization.ts'
import { openConnected, type Connected } from '../testing/open-connected.ts'
import { openShop, type Shop } from '../testing/play-push.ts'

type Activity = Connected['sandbox']['github']['activity']
type Run = ReturnType<Activity['requestRun']>
type PullRequest = ReturnType<Activity['propose']>

interface Listed {
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

let service: Connected
let shop: Shop
let activity: Activity
let production: string
let runs = 0

const patience = { timeout: 30_000, interval: 100 }

beforeAll(async () => {
  service = await openConnected({ initialHoldMs: 300 })
  shop = openShop(service.sandbox)
  ;({ activity } = service.sandbox.github)
  await connectAll(service)
  const { items } = await service.ask<Listed>('GET /environments')
  production = items.find(({ name }) => name === 'production')?.id ?? ''
  activity.protectEnvironment(shop.repository, 'production', service.sandbox.github.app)
})
afterAll(() => service.close())

const person = (login: string) => {
  const account = service.sandbox.github.state.accounts.get(login)
  if (account === undefined) throw new Error(`The seed has lost ${login}.`)
  return account
}

describe('a deployment that asks', () => {
  beforeEach(() => {
    shop.push(`Ship ${(runs += 1)}`)
  })

  const begin = ({ pullRequest }: { readonly pullRequest?: PullRequest } = {}) => {
    const { repository } = shop
    const workflow = [...repository.workflows.values()].find(({ name }) => name === 'Deploy')
    if (workflow === undefined) throw new Error('The shop has lost its workflow.')
    const event = pullRequest === undefined ? 'push' : 'pull_request'
    const made = { workflow, event, ref: 'main', actor: person('ada') } as const
    const run = activity.requestRun(repository, { ...made, ...(pullRequest && { pullRequest }) })
    activity.beginDeployment(repository, { run, environment: 'production', creator: person('ada') })
    return run
  }
  const waitOf = ({ id, attempts }: Run) =>
    shop.repository.waits.find((wait) => wait.runId === id && wait.attempt === attempts.length)
  const answered = async (run: Run, state: 'approved' | 'rejected') => {
    await expect.poll(() => waitOf(run)?.answer, patience).toMatchObject({ state })
  }
  const freeze = () =>
    service.ask(`PUT /environments/${production}/freeze`, {
      until: new Date(Date.now() + 3_600_000).toISOString(),
      reason: 'The sale is on.',
    })
  const thaw = () => service.ask(`DELETE /environments/${production}/freeze`)

  it('goes on at once where no gate covers it', async () => {
    const run = begin()
    await answered(run, 'approved')
    expect(run.attempts.at(-1)?.status).toBe('queued')
  })

  it('waits while its environment is frozen, says so, and goes on when that ends', async () => {
    await freeze()
    const run = begin()
    await expect.poll(() => waitOf(run)?.comments.length, patience).toBe(1)
    expect(waitOf(run)?.comments[0]).toContain('The sale is on.')
    expect(waitOf(run)?.answer).toBeUndefined()
    await thaw()
    await answered(run, 'approved')
  })

  it('is answered once, although its webhook comes twice', async () => {
    service.sandbox.github.hooks.faults.repeatNext(10)
    const run = begin()
    await answered(run, 'approved')
    service.sandbox.github.hooks.faults.reset()
    const own = shop.repository.waits.filter(({ runId }) => runId === run.id)
    expect(own).toMatchObject([{ answer: { state: 'approved' } }])
  })

  it('never goes on for a fork, although its webhook says nothing of one', async () => {
    const from = activity.fork(shop.repository, person('grace'))
    const pullRequest = activity.propose(shop.repository, { author: person('grace'), from })
    const run = begin({ pullRequest })
    await answered(run, 'rejected')
    expect(run.attempts.at(-1)).toMatchObject({ status: 'completed', conclusion: 'failure' })
  })
})

describe('a pull request', () => {
  const definition = {
    title: { type: 'string', tier: 'public', default: 'Shop' },
    apiUrl: { type: 'string', tier: 'public', required: true },
  } as const

  const upload = async (pull: PullRequest): Promise<Response> => {
    const { sandbox, apiUrl, orgId } = service
    const { repository } = shop
    const [workflow] = repository.workflows.values()
    if (workflow === undefined) throw new Error('The shop has lost its workflow.')
    const run = activity.requestRun(repository, {
      workflow,
      event: 'pull_request',
      ref: '',
      actor: pull.author,
      pullRequest: pull,
    })
    const token = sandbox.github.issuePipelineToken({ repository, run, audience: apiUrl })
    return fetch(`${apiUrl}/organizations/${orgId}/commit-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sha: pull.headSha, schema: 'web', definition }),
    })
  }
  const checkOf = ({ headSha }: PullRequest) =>
    [...shop.repository.checkRuns.values()].findLast(({ sha }) => sha === headSha)

  it('shows what its commit needs, and that it is there once somebody has set it', async () => {
    const { id: schemaId } = await service.ask<{ id: string }>('POST /config-schemas', {
      name: 'web',
      schema: { title: definition.title, apiUrl: { type: 'string', tier: 'public' } },
    })
    const pull = activity.propose(shop.repository, { author: person('ada') })
    const answer = await upload(pull)
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    await expect.poll(() => checkOf(pull)?.conclusion, patience).toBe('failure')
    expect(checkOf(pull)?.summary).toContain('apiUrl')
    const { items } = await service.ask<Listed>('GET /environments')
    for (const { id: environmentId } of items) {
      const values = { apiUrl: 'https://api.example.com' }
      await service.ask('PUT /config-values', { schemaId, environmentId, values })
    }
    await expect
      .poll(() => checkOf(pull)?.conclusion, { timeout: 60_000, interval: 200 })
      .toBe('success')
    expect([...shop.repository.checkRuns.values()]).toHaveLength(1)
  })

  it('of a fork gets no check', async () => {
    const from = activity.fork(shop.repository, person('grace'))
    const pull = activity.propose(shop.repository, { author: person('grace'), from })
    await upload(pull)
    const own = activity.propose(shop.repository, { author: person('ada') })
    expect((await upload(own)).status).toBe(200)
    await expect.poll(() => checkOf(own)?.status, patience).toBe('completed')
    expect(checkOf(pull)).toBeUndefined()
  })
})
