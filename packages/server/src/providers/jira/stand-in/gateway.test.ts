import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callApi, callJira, connect, redirectUri } from './testing/connect.ts'

const sandbox = await openSandbox()

beforeEach(() => {
  sandbox.jira.app.redirectUris = [redirectUri]
})

const unauthorized = { code: 401, message: 'Unauthorized' }
const scopeMismatch = { code: 401, message: 'Unauthorized; scope does not match' }
const hour = 60 * 60_000

describe('the sites that are accessible', () => {
  it('are those that were granted, with the scopes about Jira', async () => {
    const { access_token: token } = await connect(
      sandbox,
      'read:jira-work read:jira-user offline_access',
    )
    const answer = await callApi(sandbox, token, '/oauth/token/accessible-resources')
    expect(await answer.json()).toEqual([
      {
        id: sandbox.jira.sites.acme.cloudId,
        url: `${sandbox.origin}/atlassian/sites/acme`,
        name: 'acme',
        scopes: ['read:jira-work', 'read:jira-user'],
        avatarUrl: expect.stringContaining(sandbox.origin),
      },
    ])
  })

  it('are none when no scope is about Jira', async () => {
    const { access_token: token } = await connect(sandbox, 'offline_access')
    const answer = await callApi(sandbox, token, '/oauth/token/accessible-resources')
    expect(await answer.json()).toEqual([])
  })

  it('are not told to an expired token, whatever the gateway answers elsewhere', async () => {
    const { access_token: token } = await connect(sandbox)
    sandbox.jira.expiredAnswers = 404
    sandbox.clock.advance(hour)
    const answer = await callApi(sandbox, token, '/oauth/token/accessible-resources')
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual(unauthorized)
  })
})

describe('the gateway', () => {
  it('refuses an unknown token, and none', async () => {
    const unknown = await callJira(sandbox, 'unknown', '/issue/ABC-1')
    expect(unknown.status).toBe(401)
    expect(await unknown.json()).toEqual(unauthorized)
    const { cloudId } = sandbox.jira.sites.acme
    const none = await fetch(`${sandbox.addresses.jiraApi}/ex/jira/${cloudId}/rest/api/3/field`)
    expect(none.status).toBe(401)
  })

  it('refuses a refresh token in the place of an access token', async () => {
    const { refresh_token } = await connect(sandbox)
    expect((await callJira(sandbox, refresh_token, '/issue/ABC-1')).status).toBe(401)
  })

  it('takes a token as Bearer alone', async () => {
    const { access_token: token } = await connect(sandbox)
    const { cloudId } = sandbox.jira.sites.acme
    const address = `${sandbox.addresses.jiraApi}/ex/jira/${cloudId}/rest/api/3/field`
    const answer = await fetch(address, { headers: { authorization: `token ${token}` } })
    expect(answer.status).toBe(401)
  })

  it('answers an expired token 401', async () => {
    const { access_token: token } = await connect(sandbox)
    sandbox.clock.advance(hour)
    const answer = await callJira(sandbox, token, '/issue/ABC-1')
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual(unauthorized)
  })

  it('answers an expired token 404 when it is told to', async () => {
    const { access_token: token } = await connect(sandbox)
    sandbox.jira.expiredAnswers = 404
    expect((await callJira(sandbox, token, '/issue/ABC-1')).status).toBe(200)
    sandbox.clock.advance(hour)
    const answer = await callJira(sandbox, token, '/issue/ABC-1')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ code: 404, message: 'Not Found' })
  })

  it('does not know a site that was not granted', async () => {
    const { access_token: token } = await connect(sandbox)
    const { cloudId } = sandbox.jira.sites['acme-labs']
    for (const id of [cloudId, 'unknown']) {
      const answer = await callApi(sandbox, token, `/ex/jira/${id}/rest/api/3/issue/LAB-1`)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ code: 404, message: 'Not Found' })
    }
  })

  it.each([
    ['read:jira-user', 'GET', '/issue/ABC-1'],
    ['read:jira-user', 'GET', '/issue/ABC-1/remotelink'],
    ['read:jira-user', 'GET', '/project/search'],
    ['read:jira-user', 'GET', '/search/jql?jql=project=ABC'],
    ['read:jira-user', 'GET', '/field'],
    ['read:jira-user', 'POST', '/issue/bulkfetch'],
    ['read:jira-user', 'POST', '/search/jql'],
    ['read:jira-work', 'GET', '/myself'],
    ['read:jira-work', 'POST', '/issue/ABC-1/remotelink'],
  ])('refuses a token of %s alone: %s %s', async (scope, method, path) => {
    const { access_token: token } = await connect(sandbox, scope)
    const answer = await callJira(sandbox, token, path, method === 'POST' ? {} : undefined)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual(scopeMismatch)
  })

  it('takes no body that is not called JSON', async () => {
    const { access_token: token } = await connect(sandbox)
    const { cloudId } = sandbox.jira.sites.acme
    const address = `${sandbox.addresses.jiraApi}/ex/jira/${cloudId}/rest/api/3/issue/bulkfetch`
    const headers = { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ issueIdsOrKeys: ['ABC-1'] })
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(415)
  })

  it('lets the fault of a rate limit speak as Jira does', async () => {
    const { access_token: token } = await connect(sandbox)
    const fault = sandbox.jira.rateLimited({
      reason: 'jira-quota-tenant-based',
      retryAfterSeconds: 120,
    })
    sandbox.faults.add({ provider: 'jira', request: 'GET /ex/jira', fault })
    const answer = await callJira(sandbox, token, '/issue/ABC-1')
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('120')
    expect(answer.headers.get('ratelimit-reason')).toBe('jira-quota-tenant-based')
    expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/)
    expect((await callJira(sandbox, token, '/issue/ABC-1')).status).toBe(200)
  })
})
