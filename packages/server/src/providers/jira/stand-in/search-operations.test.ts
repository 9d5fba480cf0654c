import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callJira, connect, redirectUri } from './testing/connect.ts'

const sandbox = await openSandbox()
let token: string

beforeEach(async () => {
  sandbox.jira.app.redirectUris = [redirectUri]
  token = (await connect(sandbox)).access_token
})

interface Found {
  readonly issues: readonly { readonly id: string; readonly key?: string }[]
  readonly isLast: boolean
  readonly nextPageToken?: string
}

function get(query: Readonly<Record<string, string>>): Promise<Response> {
  return callJira(sandbox, token, `/search/jql?${new URLSearchParams(query).toString()}`)
}

async function find(query: Readonly<Record<string, string>>): Promise<Found> {
  return (await get(query)).json() as Promise<Found>
}

async function keysOf(jql: string): Promise<(string | undefined)[]> {
  return (await find({ jql, fields: 'summary' })).issues.map(({ key }) => key)
}

describe('search/jql', () => {
  it.each([
    ['key in (ABC-1, WEB2-1)', ['WEB2-1', 'ABC-1']],
    ['issuekey = abc-1', ['ABC-1']],
    ['project = ABC', ['ABC-3', 'ABC-2', 'ABC-1']],
    ['project = "Shop"', ['ABC-3', 'ABC-2', 'ABC-1']],
    ['project in (abc, WEB2) ORDER BY key ASC', ['ABC-1', 'ABC-2', 'ABC-3', 'WEB2-1']],
    ['project = ABC AND key in (ABC-1, WEB2-1)', ['ABC-1']],
  ])('finds %s', async (jql, keys) => {
    expect(await keysOf(jql)).toEqual(keys)
  })

  it('orders by time', async () => {
    sandbox.clock.advance(60_000)
    sandbox.jira.setStatus('ABC-2', 'Done')
    expect((await keysOf('project = ABC ORDER BY updated DESC'))[0]).toBe('ABC-2')
    expect((await keysOf('project = ABC ORDER BY updated'))[2]).toBe('ABC-2')
    sandbox.jira.addIssue({ project: 'ABC', summary: 'The newest' })
    expect((await keysOf('project = ABC ORDER BY created DESC'))[0]).toBe('ABC-4')
  })

  it('answers ids alone unless fields are asked for', async () => {
    const { issues } = await find({ jql: 'key = ABC-1' })
    expect(issues).toEqual([{ id: expect.stringMatching(/^\d+$/) }])
    const withFields = await find({ jql: 'key = ABC-1', fields: 'summary,status' })
    expect(withFields.issues).toMatchObject([
      { key: 'ABC-1', fields: { summary: expect.any(String) } },
    ])
  })

  it('finds a moved issue by its former key', async () => {
    sandbox.jira.moveIssue('ABC-1', 'WEB2')
    expect(await keysOf('key = ABC-1')).toEqual(['WEB2-2'])
  })

  it('pages with tokens to the end, and has no total', async () => {
    const jql = 'project in (ABC, WEB2) ORDER BY key'
    const first = await find({ jql, maxResults: '3' })
    expect(first).toMatchObject({ isLast: false, nextPageToken: expect.any(String) })
    const nextPageToken = first.nextPageToken ?? ''
    const last = await find({ jql, maxResults: '3', nextPageToken })
    expect(last.issues).toHaveLength(1)
    expect(last).not.toHaveProperty('nextPageToken')
    expect(last.isLast).toBe(true)
    expect(first).not.toHaveProperty('total')
    const ids = [...first.issues, ...last.issues].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  it('refuses a page token of another query, one that is too old, and one that is none', async () => {
    const jql = 'project = ABC'
    const { nextPageToken = '' } = await find({ jql, maxResults: '1' })
    expect((await get({ jql, nextPageToken })).status).toBe(200)
    expect((await get({ jql: 'project = WEB2', nextPageToken })).status).toBe(400)
    expect((await get({ jql, nextPageToken: 'none' })).status).toBe(400)
    sandbox.clock.advance(7 * 24 * 60 * 60_000)
    token = (await connect(sandbox)).access_token
    expect((await get({ jql, nextPageToken })).status).toBe(400)
  })

  it.each(['', 'order by key desc'])('refuses an unbounded query: "%s"', async (jql) => {
    const answer = await get({ jql })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      errorMessages: [
        'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
      ],
      errors: {},
    })
  })

  it.each([
    ['key in (ABC-1, ABC-999)', 'ABC-999'],
    ['key = SEC-1', 'SEC-1'],
    ['project = SEC', 'SEC'],
    ['project = NONE', 'NONE'],
    ['text ~ "basket"', 'does not read'],
    ['project = ABC ORDER BY rank', 'does not read'],
  ])('refuses %s', async (jql, why) => {
    const answer = await get({ jql })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errorMessages: [expect.stringContaining(why)] })
  })

  it.each(['0', '5001', 'many'])('refuses %s results a page', async (maxResults) => {
    expect((await get({ jql: 'project = ABC', maxResults })).status).toBe(400)
  })

  it('takes the same as a body', async () => {
    const body = { jql: 'project = ABC ORDER BY key', fields: ['summary'], maxResults: 2 }
    const answer = await callJira(sandbox, token, '/search/jql', body)
    const { issues, nextPageToken } = (await answer.json()) as Found
    expect(issues.map(({ key }) => key)).toEqual(['ABC-1', 'ABC-2'])
    const next = await callJira(sandbox, token, '/search/jql', { ...body, nextPageToken })
    expect(await next.json()).toMatchObject({ issues: [{ key: 'ABC-3' }], isLast: true })
  })

  it.each([
    { jql: 'project = ABC', startAt: 0 },
    { jql: 1 },
    { jql: 'project = ABC', maxResults: '1' },
    { jql: 'project = ABC', fields: 'summary' },
    { jql: 'project = ABC', nextPageToken: 1 },
  ])('refuses the body %j', async (body) => {
    expect((await callJira(sandbox, token, '/search/jql', body)).status).toBe(400)
  })
})

describe('the search of before', () => {
  it.each(['GET', 'POST', 'PUT'])('is gone: %s', async (method) => {
    const { cloudId } = sandbox.jira.sites.acme
    const address = `${sandbox.addresses.jiraApi}/ex/jira/${cloudId}/rest/api/3/search`
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${address}?jql=project=ABC`, { method, headers })
    expect(answer.status).toBe(410)
    expect(await answer.json()).toMatchObject({
      errorMessages: [expect.stringContaining('/rest/api/3/search/jql')],
    })
  })
})
