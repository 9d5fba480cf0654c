import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import {
  authorizationFields,
  authorize,
  callApi,
  connect,
  exchange,
  postToken,
  redirectUri,
  refresh,
} from './testing/connect.ts'

const sandbox = await openSandbox()

sandbox.gitlab.app.redirectUris = [redirectUri]

describe('authorizing', () => {
  it('leads back with a code and the state, and a code works once', async () => {
    const query = await authorize(sandbox)
    expect(query.get('state')).toBe('state-1')
    const code = query.get('code') ?? ''
    expect(await exchange(sandbox, code)).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'api',
    })
    expect(await exchange(sandbox, code)).toMatchObject({ error: 'invalid_grant' })
  })

  it('tells a denial, and a scope that the application has not', async () => {
    const denied = await authorize(sandbox, authorizationFields(sandbox), 'deny')
    expect(denied.get('error')).toBe('access_denied')
    const wrong = await authorize(sandbox, authorizationFields(sandbox, 'api sudo'))
    expect(wrong.get('error')).toBe('invalid_scope')
  })

  it('shows a page for an unknown client or address, and redirects nowhere', async () => {
    const open = (fields: Readonly<Record<string, string>>) =>
      fetch(
        `${sandbox.addresses.gitlab}/oauth/authorize?${new URLSearchParams({ ...authorizationFields(sandbox), ...fields })}`,
        { redirect: 'manual' },
      )
    expect((await open({ client_id: 'other' })).status).toBe(401)
    expect((await open({ redirect_uri: 'http://127.0.0.1:1/elsewhere' })).status).toBe(400)
  })

  it.each([
    ['the verifier of another challenge', { code_verifier: 'another' }],
    ['another address', { redirect_uri: `${redirectUri}/other` }],
  ])('refuses a code with %s', async (_what, fields) => {
    const code = (await authorize(sandbox)).get('code') ?? ''
    expect(await exchange(sandbox, code, fields)).toMatchObject({ error: 'invalid_grant' })
  })

  it('refuses a wrong secret', async () => {
    const code = (await authorize(sandbox)).get('code') ?? ''
    const answer = await postToken(sandbox, {
      grant_type: 'authorization_code',
      code,
      client_secret: 'wrong',
    })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: 'invalid_client' })
  })
})

describe('renewing', () => {
  it('ends both tokens at once, and a second use of the old one ends nothing else', async () => {
    const first = await connect(sandbox)
    const second = await refresh(sandbox, first.refresh_token)
    expect((await callApi(sandbox, first.access_token, '/user')).status).toBe(401)
    expect((await callApi(sandbox, second.access_token, '/user')).status).toBe(200)
    expect(await refresh(sandbox, first.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    expect((await callApi(sandbox, second.access_token, '/user')).status).toBe(200)
  })

  it('needs the address that the authorization led to', async () => {
    const { refresh_token: token } = await connect(sandbox)
    const fields = { grant_type: 'refresh_token', refresh_token: token }
    const other = await postToken(sandbox, { ...fields, redirect_uri: `${redirectUri}/other` })
    expect(other.status).toBe(400)
    expect((await postToken(sandbox, fields)).status).toBe(200)
  })

  it('answers a good token invalid_grant as often as a lagging replica does, and keeps it', async () => {
    const { refresh_token: token, access_token: access } = await connect(sandbox)
    sandbox.gitlab.settings.refusesGoodRefreshes = 1
    expect(await refresh(sandbox, token)).toMatchObject({ error: 'invalid_grant' })
    expect((await callApi(sandbox, access, '/user')).status).toBe(200)
    expect(await refresh(sandbox, token)).toMatchObject({ token_type: 'Bearer' })
  })

  it('says that a token has expired, after two hours', async () => {
    const { access_token: token, refresh_token: renews } = await connect(sandbox)
    sandbox.clock.advance(7_200_000)
    const answer = await callApi(sandbox, token, '/user')
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({
      error: 'invalid_token',
      error_description: expect.stringContaining('expired'),
    })
    expect(await refresh(sandbox, renews)).toMatchObject({ token_type: 'Bearer' })
  })
})

describe('revoking', () => {
  it('ends both tokens, whichever of them is named, and accepts unknown ones', async () => {
    const { clientId, clientSecret } = sandbox.gitlab.app
    const revoke = (token: string, secret = clientSecret) =>
      fetch(`${sandbox.addresses.gitlab}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, client_secret: secret, token }),
      })
    const tokens = await connect(sandbox)
    expect((await revoke(tokens.access_token, 'wrong')).status).toBe(403)
    expect((await revoke(tokens.refresh_token)).status).toBe(200)
    expect((await callApi(sandbox, tokens.access_token, '/user')).status).toBe(401)
    expect(await refresh(sandbox, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    expect((await revoke('unknown')).status).toBe(200)
  })
})
