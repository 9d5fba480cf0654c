import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callProvider } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'
import type { TrackerApi } from '../tracker.ts'
import { askLinear } from './ask.ts'
import { openLinear } from './testing/open-linear.ts'

let app: Awaited<ReturnType<typeof openLinear>>
let api: TrackerApi
let accessToken: string
beforeAll(async () => {
  app = await openLinear()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.sandbox.reset()
  const { grant, account } = await app.connect()
  if (grant === null || account === undefined) throw new Error('Nothing was granted')
  accessToken = grant.accessToken
  api = app.open(grant, account)
  app.sent.length = 0
})

const outcomesOf = async (keys: readonly string[]) =>
  (await api.findIssues(keys)).map((one) =>
    'issue' in one ? `${one.key} ${one.outcome} ${one.issue.key}` : `${one.key} ${one.outcome}`,
  )
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ProviderError ? error : undefined),
  )
const ask = (query: string) =>
  askLinear(
    { provider: 'linear', egress: app.context.egress, now: app.context.now },
    { apiUrl: app.sandbox.addresses.linearApi, accessToken },
    { query },
  )

describe('issues of Linear', () => {
  it('are asked for in one call, whatever teams they are of', async () => {
    expect(await outcomesOf(['WEB2-1', 'ABC-2', 'ABC-1'])).toEqual([
      'WEB2-1 found WEB2-1',
      'ABC-2 found ABC-2',
      'ABC-1 found ABC-1',
    ])
    expect(app.sent).toHaveLength(1)
  })

  it('come with every field that Signalbox uses', async () => {
    const { addresses, linear } = app.sandbox
    expect(await api.findIssues(['ABC-1'])).toMatchObject([
      {
        issue: {
          title: 'The basket forgets its currency',
          type: null,
          status: 'In Progress',
          statusCategory: 'indeterminate',
          assignee: 'ada',
          priority: 'High',
          url: `${addresses.linearWeb}/${linear.workspace.urlKey}/issue/ABC-1`,
        },
      },
    ])
    expect(await api.findIssues(['ABC-2'])).toMatchObject([
      { issue: { priority: null, statusCategory: 'new' } },
    ])
  })

  it.each([
    ['triage', 'new'],
    ['backlog', 'new'],
    ['canceled', 'done'],
    ['duplicate', 'done'],
  ] as const)('in a state of the type %s are %s', async (type, statusCategory) => {
    app.linear.addIssue({ team: 'ABC', title: 'One', state: { name: 'One', type } })
    expect(await api.findIssues(['ABC-4'])).toMatchObject([{ issue: { statusCategory } }])
  })

  it('are found after Linear has archived them', async () => {
    app.linear.archiveIssue('ABC-3')
    expect(await outcomesOf(['ABC-3'])).toEqual(['ABC-3 found ABC-3'])
    // By the call for all: alone, each would be found as well.
    expect(app.sent).toHaveLength(1)
    const filter = '{team: {key: {eq: "ABC"}}, number: {eq: 3}}'
    expect(await ask(`{ issues(filter: ${filter}) { nodes { id } } }`)).toEqual({
      data: { issues: { nodes: [] } },
    })
  })

  it('are found under the keys that they had before they were moved', async () => {
    app.linear.moveIssue('ABC-1', 'WEB2')
    app.linear.moveIssue('WEB2-2', 'ABC')
    expect(await outcomesOf(['ABC-1', 'WEB2-2', 'ABC-4', 'ABC-2'])).toEqual([
      'ABC-1 moved ABC-4',
      'WEB2-2 moved ABC-4',
      'ABC-4 found ABC-4',
      'ABC-2 found ABC-2',
    ])
    // Control: the filter for many at once knows today's keys alone.
    const filter = '{team: {key: {eq: "ABC"}}, number: {in: [1, 2]}}'
    expect(await ask(`{ issues(filter: ${filter}) { nodes { identifier } } }`)).toEqual({
      data: { issues: { nodes: [{ identifier: 'ABC-2' }] } },
    })
  })

  it('are not taken for moved where another one answers to their key', async () => {
    const other = { id: 'i9', identifier: 'ABC-9', previousIdentifiers: ['ABC-8'], title: 'Other' }
    for (const data of [{ issues: { nodes: [] } }, { issue: other }]) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ data })
      const fault = { kind: 'answer', status: 200, headers, body } as const
      app.sandbox.faults.add({ provider: 'linear', fault })
    }
    expect(await outcomesOf(['ABC-1'])).toEqual(['ABC-1 absent'])
  })

  it('that are not there are told from words that are none, and cost the others nothing', async () => {
    app.linear.hideTeam('WEB2')
    expect(await outcomesOf(['ABC-99', 'UTF-8', 'ABC-1', 'SEC-1', 'WEB2-1'])).toEqual([
      'ABC-99 absent',
      'UTF-8 noProject',
      'ABC-1 found ABC-1',
      'SEC-1 noProject',
      'WEB2-1 noProject',
    ])
    // Control: asked for together, one that is not there takes the others with it.
    const failed = await failureOf(
      ask('{ a: issue(id: "ABC-1") { id } b: issue(id: "ABC-99") { id } }'),
    )
    expect(failed).toMatchObject({ failure: 'notFound', code: 'INPUT_ERROR' })
  })

  it('are asked for fifty at a time', async () => {
    const keys = Array.from({ length: 120 }, (_, index) => `ABC-${index + 4}`)
    for (const key of keys) app.linear.addIssue({ team: 'ABC', title: key })
    expect((await outcomesOf(keys)).filter((one) => one.includes(' found '))).toHaveLength(120)
    expect(app.sent).toHaveLength(3)
  })
})

describe('teams of Linear', () => {
  it('are listed by their keys, and found by key and name', async () => {
    app.linear.addTeam({ key: 'AAA', name: 'Newest' })
    const list = (query?: string, page?: string) => api.listProjects({ query, page, limit: 2 })
    const first = await list()
    expect(first.projects.map(({ key }) => key)).toEqual(['AAA', 'ABC'])
    const next = await list(undefined, first.nextPage)
    expect([next.projects, next.nextPage]).toEqual([[{ key: 'WEB2', name: 'Website' }], undefined])
    expect((await list('SHO')).projects.map(({ key }) => key)).toEqual(['ABC'])
    expect((await list('web')).projects.map(({ key }) => key)).toEqual(['WEB2'])
  })
})

describe('a refusal of Linear', () => {
  it('of too much comes with status 400 and a time in milliseconds', async () => {
    app.linear.spend('requests', 30_000)
    app.linear.spend('complexity', 90_000)
    const failed = await failureOf(api.findIssues(['ABC-1']))
    const retryAt = new Date(app.sandbox.clock.now().getTime() + 90_000)
    expect(failed?.failure).toBe('rateLimited')
    expect(Math.abs((failed?.retryAt?.getTime() ?? 0) - retryAt.getTime())).toBeLessThan(5_000)
    app.sandbox.clock.advance(91_000)
    expect(await outcomesOf(['ABC-1'])).toEqual(['ABC-1 found ABC-1'])
  })

  it('control: of too much is final by the usual way of reading limits', async () => {
    app.linear.spend('requests', 30_000)
    const failed = callProvider(
      { provider: 'linear', egress: app.context.egress, now: app.context.now },
      {
        method: 'POST',
        url: `${app.sandbox.addresses.linearApi}/graphql`,
        headers: { authorization: `Bearer ${accessToken}` },
        json: { query: '{ viewer { id } }' },
      },
    )
    expect(await failureOf(failed)).toMatchObject({ failure: 'rejected' })
  })

  it.each([
    ['RATELIMITED', undefined, 'rateLimited'],
    ['AUTHENTICATION_ERROR', undefined, 'unauthorized'],
    ['FORBIDDEN', undefined, 'forbidden'],
    [undefined, 'internal error', 'unavailable'],
    [undefined, undefined, 'unavailable'],
    ['INPUT_ERROR', 'invalid input', 'rejected'],
  ] as const)('in an answer of 200 is a refusal: %s %s', async (code, type, failure) => {
    const body = JSON.stringify({
      data: { issues: { nodes: [] } },
      errors: [{ message: 'No', extensions: { code, type } }],
    })
    const headers = { 'content-type': 'application/json' }
    app.sandbox.faults.add({
      provider: 'linear',
      fault: { kind: 'answer', status: 200, headers, body },
    })
    expect(await failureOf(api.findIssues(['ABC-1']))).toMatchObject({ failure })
  })

  it('of a token asks for another', async () => {
    app.linear.expireTokens()
    expect(await failureOf(api.findIssues(['ABC-1']))).toMatchObject({ failure: 'unauthorized' })
  })

  it.each([{}, { data: null }, { data: { issues: null } }, []])(
    'is not seen in %j, nor an answer without issues',
    async (value) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(value)
      const fault = { kind: 'answer', status: 200, headers, body } as const
      app.sandbox.faults.add({ provider: 'linear', fault })
      expect(await failureOf(api.findIssues(['ABC-1']))).toMatchObject({
        failure: 'unavailable',
        code: 'unexpected_answer',
      })
    },
  )
})
