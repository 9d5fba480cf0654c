import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import {
  access,
  callMethod,
  connect,
  consentCode,
  decide,
  redirectUri,
} from './testing/slack-client.ts'

const sandbox = await openSandbox()
sandbox.slack.app.redirectUris = [redirectUri]

const scope = 'chat:write,channels:read'

function askPage(fields: Readonly<Record<string, string>>): Promise<Response> {
  const query = new URLSearchParams({
    client_id: sandbox.slack.app.clientId,
    redirect_uri: redirectUri,
    scope,
    ...fields,
  })
  return fetch(`${sandbox.addresses.slackWeb}/oauth/v2/authorize?${query}`)
}

describe('the consent page', () => {
  it('names who is asked and what for', async () => {
    const page = await (await askPage({ state: 'one' })).text()
    expect(page).toContain('ada')
    expect(page).toContain('<li>chat:write</li><li>channels:read</li>')
    expect(page).toContain('name="state" value="one"')
  })

  it('sends back a code and the state when it is allowed', async () => {
    const back = await decide(sandbox, { scope, state: 'one', decision: 'allow' })
    expect(back.href.startsWith(`${redirectUri}?code=`)).toBe(true)
    expect(back.searchParams.get('state')).toBe('one')
  })

  it('sends back access_denied and the state when it is not', async () => {
    const back = await decide(sandbox, { scope, state: 'one', decision: 'deny' })
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'one' })
  })

  it.each([
    ['another client', { client_id: '1.2' }, 'Invalid client_id'],
    ['an unknown address', { redirect_uri: 'http://127.0.0.1:4400/other' }, 'did not match'],
    ['an address that only begins alike', { redirect_uri: `${redirectUri}-evil` }, 'did not match'],
    [
      'the same path elsewhere',
      { redirect_uri: 'http://127.0.0.1:4401/slack/callback/more' },
      'did not match',
    ],
    ['no scopes', { scope: '' }, 'No scopes'],
    ['an unknown scope', { scope: 'chat:shout' }, 'Invalid scope: chat:shout'],
    ['a plain challenge', { code_challenge: 'c', code_challenge_method: 'plain' }, 'Invalid code'],
  ])('sends nobody back for %s', async (_, fields, problem) => {
    const response = await askPage(fields)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(problem)
  })

  it('takes an address below the one that is configured', async () => {
    expect((await askPage({ redirect_uri: `${redirectUri}/more` })).status).toBe(200)
  })
})

describe('oauth.v2.access', () => {
  it('answers the installation and a token that never expires', async () => {
    const { body, call } = await connect(sandbox, ['chat:write', 'channels:read'])
    expect(body).toEqual({
      ok: true,
      access_token: expect.stringMatching(/^xoxb-/),
      token_type: 'bot',
      scope,
      bot_user_id: 'U0SIGNALBX',
      app_id: 'A0SIGNALBX',
      team: { id: 'T0ACME0001', name: 'Acme' },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: 'U0ADA00001' },
    })
    sandbox.clock.advance(365 * 86_400_000)
    expect(await call('auth.test')).toMatchObject({ ok: true })
  })

  it('takes id and secret as Basic', async () => {
    const { clientId, clientSecret } = sandbox.slack.app
    const code = await consentCode(sandbox, { scope })
    const response = await fetch(`${sandbox.addresses.slackApi}/oauth.v2.access`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ code, redirect_uri: redirectUri }),
    })
    expect(await response.json()).toMatchObject({ ok: true, token_type: 'bot' })
  })

  it.each([
    ['invalid_client_id', { client_id: '1.2' }],
    ['bad_client_secret', { client_secret: 'wrong' }],
    ['invalid_code', { code: 'never-given' }],
    ['bad_redirect_uri', { redirect_uri: `${redirectUri}/more` }],
    ['bad_redirect_uri', { redirect_uri: '' }],
    ['invalid_grant_type', { grant_type: 'password' }],
    ['pkce_not_allowed', { code_verifier: 'v'.repeat(43) }],
    ['invalid_refresh_token', { grant_type: 'refresh_token', refresh_token: 'xoxe-1-none' }],
  ])('refuses with %s: %o', async (error, wrong) => {
    const code = await consentCode(sandbox, { scope })
    expect(await access(sandbox, { code, redirect_uri: redirectUri, ...wrong })).toEqual({
      ok: false,
      error,
    })
  })

  it('takes a code once, and for ten minutes', async () => {
    const [used, late] = [
      await consentCode(sandbox, { scope }),
      await consentCode(sandbox, { scope }),
    ]
    const exchange = (code: string) => access(sandbox, { code, redirect_uri: redirectUri })
    expect(await exchange(used)).toMatchObject({ ok: true })
    expect(await exchange(used)).toMatchObject({ ok: false, error: 'invalid_code' })
    sandbox.clock.advance(10 * 60_000)
    expect(await exchange(late)).toMatchObject({ ok: false, error: 'invalid_code' })
  })

  it('gives a second consent the same token, with the scopes of both', async () => {
    const first = await connect(sandbox, ['chat:write'])
    const second = await connect(sandbox, ['team:read'])
    expect(second.token).toBe(first.token)
    expect(second.body).toMatchObject({ scope: 'chat:write,team:read' })
    expect(await first.call('team.info')).toMatchObject({ ok: true, team: { name: 'Acme' } })
  })

  it('gives the visitor a token of her own for user_scope', async () => {
    const code = await consentCode(sandbox, { user_scope: 'chat:write' })
    const body = await access(sandbox, { code, redirect_uri: redirectUri })
    expect(body).not.toHaveProperty('access_token')
    expect(body).toMatchObject({
      authed_user: {
        id: 'U0ADA00001',
        scope: 'chat:write',
        access_token: expect.stringMatching(/^xoxp-/),
      },
    })
  })

  it('checks the challenge of an app that has opted in to PKCE, which needs no secret then', async () => {
    sandbox.slack.pkce = true
    const verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const exchange = async (code_verifier: string) => {
      const code = await consentCode(sandbox, { scope, ...pkce })
      const { clientId } = sandbox.slack.app
      const fields = { client_id: clientId, code, redirect_uri: redirectUri, code_verifier }
      return callMethod(sandbox, 'oauth.v2.access', fields)
    }
    expect(await exchange('w'.repeat(43))).toEqual({ ok: false, error: 'invalid_code_verifier' })
    expect(await exchange(verifier)).toMatchObject({ ok: true })
  })
})

describe('token rotation', () => {
  it('gives tokens for twelve hours', async () => {
    sandbox.slack.rotation = true
    const { body, call } = await connect(sandbox)
    expect(body).toMatchObject({
      access_token: expect.stringMatching(/^xoxe\.xoxb-1-/),
      refresh_token: expect.stringMatching(/^xoxe-1-/),
      expires_in: 43_200,
    })
    sandbox.clock.advance(43_199_000)
    expect(await call('auth.test')).toMatchObject({ ok: true })
    sandbox.clock.advance(2_000)
    expect(await call('auth.test')).toEqual({ ok: false, error: 'token_expired' })
  })

  it('takes a refresh token once, without grace, and gives a new pair', async () => {
    sandbox.slack.rotation = true
    const { body, call } = await connect(sandbox)
    const refresh = (refresh_token: unknown) =>
      access(sandbox, { grant_type: 'refresh_token', refresh_token: String(refresh_token) })
    const fresh = await refresh(body['refresh_token'])
    expect(fresh).toMatchObject({ ok: true, expires_in: 43_200, token_type: 'bot' })
    expect(fresh['access_token']).not.toBe(body['access_token'])
    expect(fresh['refresh_token']).not.toBe(body['refresh_token'])
    expect(await refresh(body['refresh_token'])).toEqual({
      ok: false,
      error: 'invalid_refresh_token',
    })
    expect(await refresh(fresh['refresh_token'])).toMatchObject({ ok: true })
    expect(await call('auth.test')).toMatchObject({ ok: true, expires_in: expect.any(Number) })
  })

  it('ends the refresh token with the token that is revoked', async () => {
    sandbox.slack.rotation = true
    const { body, call } = await connect(sandbox)
    await call('auth.revoke')
    const refresh_token = String(body['refresh_token'])
    expect(await access(sandbox, { grant_type: 'refresh_token', refresh_token })).toMatchObject({
      error: 'invalid_refresh_token',
    })
  })
})
