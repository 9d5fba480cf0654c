import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { createApp, createAppCredentials } from '../create-app.ts'
import { createGithubClient } from '../testing/github-client.ts'

const callback = 'http://127.0.0.1:4400/callback'
const sandbox = await openSandbox()
const client = createGithubClient(sandbox)

beforeEach(() => {
  sandbox.github.app.callbackUrls = [callback]
})

const asked = (more: Readonly<Record<string, string>> = {}) => ({
  client_id: sandbox.github.app.clientId,
  redirect_uri: callback,
  state: 'opaque',
  ...more,
})

const open = (fields: Readonly<Record<string, string>>) =>
  client.open(`/login/oauth/authorize?${new URLSearchParams(fields).toString()}`)

const decide = async (fields: Readonly<Record<string, string>>) => {
  const response = await client.submit('/login/oauth/authorize', fields)
  return new URL(response.headers.get('location') ?? 'about:blank')
}

describe('the page that asks for consent', () => {
  it('names the app and sends every field on with the answer', async () => {
    const page = await (
      await open(asked({ code_challenge: 'c', code_challenge_method: 'S256' }))
    ).text()
    expect(page).toContain(sandbox.github.app.clientId)
    for (const value of ['opaque', callback, 'S256']) expect(page).toContain(`value="${value}"`)
  })

  it('escapes what it was given', async () => {
    const page = await (await open(asked({ state: '"><script>' }))).text()
    expect(page).not.toContain('<script>')
  })

  it('asks the user first whom the client suggests', async () => {
    const page = await (await open(asked({ login: 'Grace' }))).text()
    expect(page.indexOf('value="grace"')).toBeLessThan(page.indexOf('value="ada"'))
    expect(page.indexOf('value="grace"')).toBeGreaterThan(0)
  })

  it('sends the browser back with a code and the state when it is allowed', async () => {
    const to = await decide(asked({ decision: 'allow' }))
    expect(to.href.startsWith(`${callback}?`)).toBe(true)
    expect(to.searchParams.get('code')).toMatch(/^\w{20,}$/)
    expect(to.searchParams.get('state')).toBe('opaque')
  })

  it('sends the browser back with access_denied and no code when it is denied', async () => {
    const to = await decide(asked({ decision: 'deny' }))
    expect(to.searchParams.get('error')).toBe('access_denied')
    expect(to.searchParams.get('error_description')).not.toBeNull()
    expect(to.searchParams.get('error_uri')).not.toBeNull()
    expect(to.searchParams.get('state')).toBe('opaque')
    expect(to.searchParams.has('code')).toBe(false)
  })

  it('leads to the first callback when the client names none', async () => {
    const { redirect_uri: _, ...fields } = asked({ decision: 'allow' })
    expect((await decide(fields)).href.startsWith(`${callback}?code=`)).toBe(true)
  })

  it('refuses an unknown client on a page of its own', async () => {
    const response = await open(asked({ client_id: 'Iv23liunknown' }))
    expect([response.status, response.headers.get('location')]).toEqual([404, null])
  })

  it.each(['http://127.0.0.1:4401/callback', `${callback}/more`, `${callback}?a=1`])(
    'refuses %s, which is not registered, on a page of its own',
    async (redirect_uri) => {
      for (const response of [
        await open(asked({ redirect_uri })),
        await client.submit('/login/oauth/authorize', asked({ redirect_uri, decision: 'allow' })),
      ]) {
        expect([response.status, response.headers.get('location')]).toEqual([400, null])
      }
    },
  )

  it.each([{ code_challenge_method: 'plain' }, {}])(
    'refuses a challenge that is not S256: %o',
    async (method) => {
      const to = await decide(asked({ decision: 'allow', code_challenge: 'c', ...method }))
      expect(to.searchParams.get('error')).toBe('invalid_request')
      expect(to.searchParams.has('code')).toBe(false)
    },
  )

  it('lets nobody decide in the name of an organization', async () => {
    const response = await client.submit(
      '/login/oauth/authorize',
      asked({ decision: 'allow', login: 'acme' }),
    )
    expect(response.status).toBe(404)
  })
})

describe('the exchange of a code', () => {
  const verifier = 'v'.repeat(43)
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const codeFor = async (more: Readonly<Record<string, string>> = {}) => {
    const to = await decide(asked({ decision: 'allow', ...more }))
    return to.searchParams.get('code') ?? ''
  }
  const credentials = () => ({
    client_id: sandbox.github.app.clientId,
    client_secret: sandbox.github.app.clientSecret,
  })
  const post = (fields: Readonly<Record<string, string>>, accept = 'application/json') =>
    fetch(`${sandbox.addresses.githubWeb}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept },
      body: new URLSearchParams({ ...credentials(), ...fields }),
    })
  const exchange = async (fields: Readonly<Record<string, string>>) => {
    const response = await post(fields)
    expect(response.status).toBe(200)
    return (await response.json()) as Record<string, unknown>
  }
  const userOf = async (token: unknown) => client.api('GET /user', { token: String(token) })

  it('gives a token of the user for eight hours and a refresh token for six months', async () => {
    const granted = await exchange({ code: await codeFor({ login: 'grace' }) })
    expect(granted).toEqual({
      access_token: expect.stringMatching(/^ghu_\w{36}$/),
      expires_in: 28_800,
      refresh_token: expect.stringMatching(/^ghr_\w{76}$/),
      refresh_token_expires_in: 15_897_600,
      scope: '',
      token_type: 'bearer',
    })
    expect(await userOf(granted['access_token'])).toMatchObject({
      status: 200,
      body: { login: 'grace', type: 'User' },
    })
    sandbox.clock.advance(28_801_000)
    expect((await userOf(granted['access_token'])).status).toBe(401)
  })

  it('takes JSON, and answers form encoded whoever does not ask for JSON', async () => {
    const response = await fetch(`${sandbox.addresses.githubWeb}/login/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...credentials(), code: await codeFor() }),
    })
    expect(response.headers.get('content-type')).toContain('application/x-www-form-urlencoded')
    const fields = new URLSearchParams(await response.text())
    expect(fields.get('access_token')).toMatch(/^ghu_/)
    expect(fields.get('expires_in')).toBe('28800')
  })

  it('takes a code once', async () => {
    const code = await codeFor()
    await exchange({ code })
    expect(await exchange({ code })).toMatchObject({ error: 'bad_verification_code' })
  })

  it('refuses a code after ten minutes', async () => {
    const code = await codeFor()
    sandbox.clock.advance(600_000)
    expect(await exchange({ code })).toMatchObject({ error: 'bad_verification_code' })
  })

  it('takes a challenge with its verifier alone', async () => {
    const [first, second, third] = [
      await codeFor(challenge),
      await codeFor(challenge),
      await codeFor(challenge),
    ]
    expect(await exchange({ code: first, code_verifier: verifier })).toHaveProperty('access_token')
    const error = { error: 'bad_verification_code' }
    expect(await exchange({ code: second, code_verifier: 'w'.repeat(43) })).toMatchObject(error)
    expect(await exchange({ code: third })).toMatchObject(error)
  })

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 'incorrect_client_credentials'],
    ['an unknown client', { client_id: 'Iv23liunknown' }, 'incorrect_client_credentials'],
    ['another address', { redirect_uri: `${callback}/other` }, 'redirect_uri_mismatch'],
    ['an unknown code', { code: 'unknown' }, 'bad_verification_code'],
    ['an unknown grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('refuses %s with the status 200', async (_, fields, error) => {
    const refused = await exchange({ code: await codeFor(), ...fields })
    expect(refused).toEqual({
      error,
      error_description: expect.any(String),
      error_uri: expect.stringContaining(error.replaceAll('_', '-')),
    })
  })

  it('writes a refusal in the form of an answer, too', async () => {
    const text = await (await post({ code: 'unknown' }, '*/*')).text()
    expect(new URLSearchParams(text).get('error')).toBe('bad_verification_code')
  })

  describe('refreshing', () => {
    const refresh = (token: unknown) =>
      exchange({ grant_type: 'refresh_token', refresh_token: String(token) })

    it('burns both old tokens at once, with no grace', async () => {
      const first = await exchange({ code: await codeFor() })
      const second = await refresh(first['refresh_token'])
      expect(second['access_token']).not.toBe(first['access_token'])
      expect((await userOf(first['access_token'])).status).toBe(401)
      expect((await userOf(second['access_token'])).status).toBe(200)
      expect(await refresh(first['refresh_token'])).toMatchObject({ error: 'bad_refresh_token' })
      expect(await refresh(second['refresh_token'])).toHaveProperty('access_token')
    })

    it('works after the token has expired, and no more after six months', async () => {
      const first = await exchange({ code: await codeFor() })
      sandbox.clock.advance(28_801_000)
      const second = await refresh(first['refresh_token'])
      expect(second).toHaveProperty('access_token')
      sandbox.clock.advance(15_897_600_000)
      expect(await refresh(second['refresh_token'])).toMatchObject({ error: 'bad_refresh_token' })
    })

    it('is refused to another app, and stays good for its own', async () => {
      const { app, state } = sandbox.github
      const other = createApp(state, { ...app, name: 'Another app' }, createAppCredentials())
      const { refresh_token: token } = await exchange({ code: await codeFor() })
      const stolen = await exchange({
        client_id: other.clientId,
        client_secret: other.clientSecret,
        grant_type: 'refresh_token',
        refresh_token: String(token),
      })
      expect(stolen).toMatchObject({ error: 'bad_refresh_token' })
      expect(await refresh(token)).toHaveProperty('access_token')
    })

    it('is refused with a token of another kind', async () => {
      const { access_token: token } = await exchange({ code: await codeFor() })
      expect(await refresh(token)).toMatchObject({ error: 'bad_refresh_token' })
    })
  })
})
