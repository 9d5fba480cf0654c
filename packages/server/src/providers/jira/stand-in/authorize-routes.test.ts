import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import {
  authorizationFields,
  callApi,
  connect,
  decide,
  exchange,
  getCode,
  openConsentPage,
  postToken,
  redirectOf,
  redirectUri,
} from './testing/connect.ts'

const sandbox = await openSandbox()

beforeEach(() => {
  sandbox.jira.app.redirectUris = [redirectUri]
})

async function accessibleSites(token: string) {
  const answer = await callApi(sandbox, token, '/oauth/token/accessible-resources')
  return (await answer.json()) as { id: string; name: string; url: string; scopes: string[] }[]
}

describe('the consent page', () => {
  it('says who asks for what', async () => {
    const page = await openConsentPage(sandbox, authorizationFields(sandbox))
    const text = await page.text()
    expect(page.status).toBe(200)
    expect(text).toContain(sandbox.jira.app.clientId)
    expect(text).toContain('View Jira issue data')
    expect(text).not.toContain('Create and manage issues')
    expect(text).not.toContain('<select')
  })

  it('answers with state and code when access is allowed', async () => {
    const back = await redirectOf(decide(sandbox))
    expect(back.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(back.searchParams.get('state')).toBe('state-1')
    expect(back.searchParams.get('code')).toMatch(/^\w{20,}$/)
  })

  it('answers access_denied with the state when access is denied, and grants nothing', async () => {
    const back = await redirectOf(decide(sandbox, { decision: 'deny' }))
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('state-1')
    expect(back.searchParams.has('code')).toBe(false)
  })

  it('keeps the query that the redirect_uri has', async () => {
    const withQuery = `${redirectUri}?organization=org_1`
    sandbox.jira.app.redirectUris = [redirectUri, withQuery]
    const fields = { ...authorizationFields(sandbox), redirect_uri: withQuery }
    const back = await redirectOf(decide(sandbox, { fields }))
    expect(back.searchParams.get('organization')).toBe('org_1')
    expect(back.searchParams.has('code')).toBe(true)
  })

  it.each([
    ['an unknown client', { client_id: 'other' }],
    ['a redirect_uri that is not registered', { redirect_uri: `${redirectUri}/other` }],
    ['no audience', { audience: '' }],
    ['another audience', { audience: 'api.example' }],
    ['another response_type', { response_type: 'token' }],
    ['no prompt', { prompt: '' }],
    ['no state', { state: '' }],
    ['no scope', { scope: '' }],
    ['a scope that the app does not have', { scope: 'read:jira-work admin:everything' }],
    ['a plain code_challenge', { code_challenge: 'challenge', code_challenge_method: 'plain' }],
  ])('refuses %s on a page of its own, without a redirect', async (_, wrong) => {
    const fields = { ...authorizationFields(sandbox), ...wrong }
    const page = await openConsentPage(sandbox, fields)
    expect(page.status).toBe(400)
    expect(page.headers.has('location')).toBe(false)
    expect(await page.text()).toContain('Something went wrong')
    const body = new URLSearchParams({ ...fields, site: 'acme', decision: 'allow' })
    const address = `${sandbox.addresses.jiraAuth}/authorize`
    const sent = await fetch(address, { method: 'POST', body, redirect: 'manual' })
    expect(sent.status).toBe(400)
  })

  it('refuses a decision that is neither, and a site that the account does not belong to', async () => {
    const post = (more: Record<string, string>) => {
      const body = new URLSearchParams({ ...authorizationFields(sandbox), ...more })
      const address = `${sandbox.addresses.jiraAuth}/authorize`
      return fetch(address, { method: 'POST', body, redirect: 'manual' })
    }
    expect((await post({ site: 'acme' })).status).toBe(400)
    expect((await post({ site: 'acme-labs', decision: 'allow' })).status).toBe(400)
    expect((await post({ site: 'acme', decision: 'allow' })).status).toBe(302)
  })
})

describe('an account with several sites', () => {
  beforeEach(() => sandbox.jira.offerSecondSite())

  it('chooses on the page which one it grants', async () => {
    const page = await openConsentPage(sandbox, authorizationFields(sandbox))
    expect(await page.text()).toMatch(/<select name="site">[^]*acme[^]*acme-labs[^]*<\/select>/)
    const tokens = await exchange(sandbox, await getCode(sandbox, { site: 'acme-labs' }))
    expect(await accessibleSites(tokens.access_token)).toMatchObject([{ name: 'acme-labs' }])
  })

  it('widens its one grant by a second consent, for the tokens that exist as well', async () => {
    const { access_token: token } = await connect(sandbox)
    expect(await accessibleSites(token)).toHaveLength(1)
    await decide(sandbox, { site: 'acme-labs' })
    expect((await accessibleSites(token)).map(({ name }) => name)).toEqual(['acme', 'acme-labs'])
  })
})

describe('an authorization code', () => {
  it('is good once', async () => {
    const code = await getCode(sandbox)
    expect((await exchange(sandbox, code)).access_token).toBeTypeOf('string')
    expect(await exchange(sandbox, code)).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid authorization code',
    })
  })

  it('is good for the redirect_uri that it was sent to', async () => {
    const code = await getCode(sandbox)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: `${redirectUri}/other` }
    const answer = await postToken(sandbox, fields)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('is good for ten minutes', async () => {
    const code = await getCode(sandbox)
    sandbox.clock.advance(10 * 60_000)
    expect((await exchange(sandbox, code)).error).toBe('invalid_grant')
  })

  it('with a code_challenge is good for the verifier', async () => {
    const verifier = 'v'.repeat(43)
    const fields = {
      ...authorizationFields(sandbox),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    const redeem = async (code_verifier: string) => {
      const code = await getCode(sandbox, { fields })
      const grant_type = 'authorization_code'
      return postToken(sandbox, { grant_type, code, redirect_uri: redirectUri, code_verifier })
    }
    expect((await redeem(verifier)).status).toBe(200)
    expect((await redeem('w'.repeat(43))).status).toBe(403)
  })
})
