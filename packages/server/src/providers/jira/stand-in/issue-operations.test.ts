import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callJira, connect, redirectUri } from './testing/connect.ts'

const sandbox = await openSandbox()
let token: string

beforeEach(async () => {
  sandbox.jira.app.redirectUris = [redirectUri]
  token = (await connect(sandbox)).access_token
})

interface IssueJson {
  readonly id: string
  readonly key: string
  readonly self: string
  readonly fields: Readonly<Record<string, unknown>>
}

const notFound = {
  errorMessages: ['Issue does not exist or you do not have permission to see it.'],
  errors: {},
}

async function getIssue(path: string): Promise<IssueJson> {
  return (await callJira(sandbox, token, `/issue/${path}`)).json() as Promise<IssueJson>
}

async function bulkFetch(issueIdsOrKeys: readonly string[], fields?: readonly string[]) {
  const body = { issueIdsOrKeys, ...(fields && { fields }) }
  const answer = await callJira(sandbox, token, '/issue/bulkfetch', body)
  return (await answer.json()) as { issues: IssueJson[]; issueErrors: unknown[] }
}

async function keysOf(wanted: readonly string[]): Promise<string[]> {
  return (await bulkFetch(wanted)).issues.map(({ key }) => key)
}

describe('GET issue', () => {
  it('answers the fields of an issue, and where the API has it', async () => {
    const { self, key, fields } = await getIssue('ABC-1')
    const { cloudId } = sandbox.jira.sites.acme
    expect(key).toBe('ABC-1')
    expect(self).toMatch(`${sandbox.addresses.jiraApi}/ex/jira/${cloudId}/rest/api/3/issue/`)
    expect((await callJira(sandbox, token, self.split('/rest/api/3')[1] ?? '')).status).toBe(200)
    expect(fields).toMatchObject({
      summary: 'The basket forgets its currency',
      status: {
        name: 'In Progress',
        statusCategory: { key: 'indeterminate', name: 'In Progress', colorName: 'yellow' },
      },
      issuetype: { name: 'Bug' },
      priority: { name: 'High' },
      assignee: { displayName: 'Ada' },
      project: { key: 'ABC' },
    })
  })

  it('answers null for nobody', async () => {
    expect((await getIssue('ABC-3')).fields).toHaveProperty('assignee', null)
  })

  it.each([
    ['fields=summary,status', ['summary', 'status']],
    ['fields=summary&fields=status', ['summary', 'status']],
    ['fields=unknown', []],
    ['fields=summary,status,-status', ['summary']],
  ])('answers the fields that are asked for: %s', async (query, names) => {
    expect(Object.keys((await getIssue(`ABC-1?${query}`)).fields)).toEqual(names)
  })

  it.each(['fields=*all,-summary', 'fields=-summary'])('leaves out: %s', async (query) => {
    const { fields } = await getIssue(`ABC-1?${query}`)
    expect(fields).toHaveProperty('status')
    expect(fields).not.toHaveProperty('summary')
  })

  it('finds an issue by its id, and whatever the case of its key', async () => {
    const { id } = await getIssue('abc-1')
    expect((await getIssue(id)).key).toBe('ABC-1')
  })

  it('finds a moved issue under its former key and answers the one of today', async () => {
    const moved = sandbox.jira.moveIssue('ABC-2', 'WEB2')
    expect(moved.key).toBe('WEB2-2')
    expect((await getIssue('ABC-2')).key).toBe('WEB2-2')
    expect(sandbox.jira.addIssue({ project: 'ABC', summary: 'The next one' }).key).toBe('ABC-4')
  })

  it.each(['ABC-999', 'SEC-1', '1', 'no key'])('does not know %s', async (key) => {
    const answer = await callJira(sandbox, token, `/issue/${encodeURIComponent(key)}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual(notFound)
  })

  it('does not know an issue that was deleted, nor one of a project that is hidden since', async () => {
    sandbox.jira.deleteIssue('ABC-1')
    sandbox.jira.hideProject('WEB2')
    for (const key of ['ABC-1', 'WEB2-1']) {
      expect((await callJira(sandbox, token, `/issue/${key}`)).status).toBe(404)
    }
  })

  it('shows a change of the status', async () => {
    sandbox.clock.advance(60_000)
    sandbox.jira.setStatus('ABC-1', 'Done')
    const { fields } = await getIssue('ABC-1')
    expect(fields).toMatchObject({ status: { name: 'Done', statusCategory: { key: 'done' } } })
    expect(fields['updated']).not.toBe(fields['created'])
  })
})

describe('POST issue/bulkfetch', () => {
  it('answers in the order of the ids, each issue once, whatever the case of the keys', async () => {
    expect(await keysOf(['WEB2-1', 'abc-2', 'ABC-1', 'ABC-2'])).toEqual([
      'ABC-1',
      'ABC-2',
      'WEB2-1',
    ])
  })

  it('leaves out what is not there or hidden, without an error', async () => {
    expect(await bulkFetch(['ABC-999', 'SEC-1', 'nonsense'])).toEqual({
      issues: [],
      issueErrors: [],
    })
  })

  it('answers a moved issue under the key of today', async () => {
    sandbox.jira.moveIssue('ABC-2', 'WEB2')
    expect(await keysOf(['ABC-2'])).toEqual(['WEB2-2'])
  })

  it('leaves out an issue that was moved to where it may not be seen', async () => {
    sandbox.jira.moveIssue('ABC-2', 'SEC')
    expect(await keysOf(['ABC-2', 'ABC-1'])).toEqual(['ABC-1'])
  })

  it('answers the fields that are asked for', async () => {
    const { issues } = await bulkFetch(['ABC-1'], ['summary', 'status'])
    expect(Object.keys(issues[0]?.fields ?? {})).toEqual(['summary', 'status'])
  })

  it('takes a hundred and refuses one more', async () => {
    const keys = Array.from({ length: 101 }, (_, index) => `ABC-${index + 1}`)
    expect(await keysOf(keys.slice(0, 100))).toHaveLength(3)
    const refused = await callJira(sandbox, token, '/issue/bulkfetch', { issueIdsOrKeys: keys })
    expect(refused.status).toBe(400)
  })

  it.each([
    { issueIdsOrKeys: [] },
    {},
    [],
    { issueIdsOrKeys: 'ABC-1' },
    { issueIdsOrKeys: [1] },
    { issueIdsOrKeys: ['ABC-1'], fields: 'summary' },
    { issueIdsOrKeys: ['ABC-1'], jql: 'project = ABC' },
  ])('refuses %j', async (body) => {
    const answer = await callJira(sandbox, token, '/issue/bulkfetch', body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errorMessages: [expect.any(String)], errors: {} })
  })
})
