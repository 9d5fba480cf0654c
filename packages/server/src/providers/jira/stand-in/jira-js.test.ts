import { createClient, isScopeError, type Client } from 'jira.js/core'
import {
  bulkFetchIssues,
  createOrUpdateRemoteIssueLink,
  getCurrentUser,
  getFields,
  getIssue,
  getRemoteIssueLinks,
  getServerInfo,
  IssueTypeDetailsSchema,
  PrioritySchema,
  ProjectDetailsSchema,
  searchAndReconsileIssuesUsingJql,
  searchAndReconsileIssuesUsingJqlPost,
  searchProjects,
  StatusDetailsSchema,
  UserDetailsSchema,
} from 'jira.js/cloud'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect, redirectUri } from './testing/connect.ts'

// jira.js then takes no member that Jira's OpenAPI document does not have, and keeps a list of those it met.
vi.hoisted(() => {
  process.env['AUDIT_SCHEMAS'] = 'true'
})

const sandbox = await openSandbox()
let client: Client

async function clientOf(scope: string): Promise<Client> {
  const { access_token: token } = await connect(sandbox, scope)
  const host = `${sandbox.addresses.jiraApi}/ex/jira/${sandbox.jira.sites.acme.cloudId}`
  // Sends a POST once, because no `retry` is set (`providers/testing/repeating-clients.test.ts`).
  return createClient({ host, auth: { type: 'bearer', token }, onSchemaMismatch: 'throw' })
}

beforeEach(async () => {
  sandbox.jira.app.redirectUris = [redirectUri]
  client = await clientOf('read:jira-work read:jira-user write:jira-work')
})

function undocumented(): unknown {
  return Reflect.get(globalThis, Symbol.for('apis-code-gen.schemaAudit'))
}

describe('jira.js, which checks every answer against the OpenAPI document of Jira', () => {
  it('reads an issue and each of its fields', async () => {
    const { key, fields = {} } = await getIssue(client, { issueIdOrKey: 'ABC-1' })
    expect(key).toBe('ABC-1')
    expect(StatusDetailsSchema.parse(fields['status']).statusCategory?.key).toBe('indeterminate')
    expect(IssueTypeDetailsSchema.parse(fields['issuetype']).name).toBe('Bug')
    expect(PrioritySchema.parse(fields['priority']).name).toBe('High')
    expect(UserDetailsSchema.parse(fields['assignee']).displayName).toBe('Ada')
    expect(ProjectDetailsSchema.parse(fields['project']).key).toBe('ABC')
  })

  it('fetches issues in bulk', async () => {
    const issueIdsOrKeys = ['WEB2-1', 'ABC-1', 'SEC-1']
    const { issues } = await bulkFetchIssues(client, { issueIdsOrKeys, fields: ['summary'] })
    expect(issues?.map(({ key }) => key)).toEqual(['ABC-1', 'WEB2-1'])
  })

  it('searches projects', async () => {
    const { values } = await searchProjects(client, { keys: ['ABC', 'WEB2'], maxResults: 1 })
    expect(values.map(({ key }) => key)).toEqual(['ABC'])
  })

  it('searches issues by JQL', async () => {
    const jql = 'project = ABC ORDER BY key'
    const first = await searchAndReconsileIssuesUsingJql(client, { jql, maxResults: 2 })
    const nextPageToken = first.nextPageToken ?? ''
    const last = await searchAndReconsileIssuesUsingJqlPost(client, {
      jql,
      nextPageToken,
      fields: ['summary'],
    })
    expect(last.issues?.map(({ key }) => key)).toEqual(['ABC-3'])
  })

  it('writes and reads a remote link', async () => {
    const object = { title: 'Deployed to production', url: 'http://127.0.0.1:4400/deployments/1' }
    const link = { issueIdOrKey: 'ABC-1', globalId: 'signalbox:deployment:1', object }
    const { id } = await createOrUpdateRemoteIssueLink(client, link)
    expect(await createOrUpdateRemoteIssueLink(client, link)).toMatchObject({ id })
    expect(await getRemoteIssueLinks(client, { issueIdOrKey: 'ABC-1' })).toMatchObject([{ object }])
  })

  it('reads the account, the fields and the server', async () => {
    expect((await getCurrentUser(client)).displayName).toBe('Ada')
    expect((await getFields(client)).map(({ id }) => id)).toContain('summary')
    expect((await getServerInfo(client)).deploymentType).toBe('Cloud')
  })

  it('knows a missing scope by its refusal', async () => {
    sandbox.jira.removeGrant()
    const refused = await clientOf('read:jira-user')
    const error: unknown = await getIssue(refused, { issueIdOrKey: 'ABC-1' }).catch(
      (thrown: unknown) => thrown,
    )
    expect(isScopeError(error)).toBe(true)
  })

  it('met no member that the document does not have', () => {
    expect(undocumented()).toBeUndefined()
  })
})
