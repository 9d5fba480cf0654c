import {
  createClient,
  exchangeAuthorizationCode,
  generateAuthorizationUrl,
  getAccessibleResources,
  isReauthorizationRequired,
  parseCallbackUrl,
  refreshOAuth2Token,
  type AccessibleResource,
} from 'jira.js/core'
import { getIssue } from 'jira.js/cloud'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { decide, redirectOf, redirectUri } from './testing/connect.ts'

const { fetch: realFetch } = globalThis
const state = 'state-1'
const minute = 60_000

const sandbox = await openSandbox()

/** jira.js knows Atlassian's addresses by heart: this is the way to the sandbox. */
function toSandbox(address: string): string {
  return address
    .replace('https://auth.atlassian.com', sandbox.addresses.jiraAuth)
    .replace('https://api.atlassian.com', sandbox.addresses.jiraApi)
}

beforeAll(() => {
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    realFetch(toSandbox(String(input)), init),
  )
})
beforeEach(() => {
  sandbox.jira.app.redirectUris = [redirectUri]
})
afterAll(async () => {
  vi.unstubAllGlobals()
})

async function authorize() {
  const { clientId, clientSecret } = sandbox.jira.app
  const scopes = ['read:jira-work', 'offline_access']
  const url = new URL(generateAuthorizationUrl({ clientId, scopes, redirectUri, state }))
  const back = await redirectOf(decide(sandbox, { fields: Object.fromEntries(url.searchParams) }))
  const { code } = parseCallbackUrl(back, { expectedState: state })
  return exchangeAuthorizationCode({ clientId, clientSecret, code, redirectUri })
}

describe('jira.js, which knows how Atlassian answers', () => {
  it('connects, finds the site and reads an issue', async () => {
    const tokens = await authorize()
    expect(tokens).toMatchObject({ expiresIn: 3600, scope: 'read:jira-work offline_access' })
    const sites = await getAccessibleResources(tokens.accessToken)
    expect(sites).toEqual([
      {
        id: sandbox.jira.sites.acme.cloudId,
        name: 'acme',
        url: expect.any(String),
        scopes: ['read:jira-work'],
        avatarUrl: expect.any(String),
      } satisfies AccessibleResource,
    ])
    const client = createClient({ auth: { type: 'oauth2', accessToken: tokens.accessToken } })
    expect(await getIssue(client, { issueIdOrKey: 'ABC-1' })).toMatchObject({ key: 'ABC-1' })
  })

  it('refreshes an expired access token and goes on', async () => {
    const { accessToken, refreshToken = '' } = await authorize()
    const { clientId, clientSecret } = sandbox.jira.app
    const auth = { type: 'oauth2' as const, accessToken, refreshToken, clientId, clientSecret }
    const client = createClient({ auth })
    sandbox.clock.advance(60 * minute)
    expect(await getIssue(client, { issueIdOrKey: 'ABC-1' })).toMatchObject({ key: 'ABC-1' })
  })

  it('reads a reused refresh token as the end of the connection', async () => {
    const { refreshToken = '' } = await authorize()
    const { clientId, clientSecret } = sandbox.jira.app
    const credentials = { clientId, clientSecret, refreshToken }
    await refreshOAuth2Token(credentials)
    sandbox.clock.advance(10 * minute)
    const error: unknown = await refreshOAuth2Token(credentials).catch((thrown: unknown) => thrown)
    expect(isReauthorizationRequired(error)).toBe(true)
  })

  it('does not read a wrong secret as that', async () => {
    const { refreshToken = '' } = await authorize()
    const { clientId } = sandbox.jira.app
    const credentials = { clientId, clientSecret: 'wrong', refreshToken }
    const error: unknown = await refreshOAuth2Token(credentials).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 401, error: 'access_denied' })
    expect(isReauthorizationRequired(error)).toBe(false)
  })

  it('reads a denial as one', async () => {
    const back = await redirectOf(decide(sandbox, { decision: 'deny' }))
    expect(() => parseCallbackUrl(back, { expectedState: state })).toThrow('declined')
  })
})
