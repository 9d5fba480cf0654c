import { beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import {
  callJira,
  connect,
  exchange,
  getCode,
  postRefresh,
  postToken,
  redirectUri,
  refresh,
} from './testing/connect.ts'

const sandbox = await openSandbox()

beforeEach(() => {
  sandbox.jira.app.redirectUris = [redirectUri]
})

const minute = 60_000
const day = 24 * 60 * minute
const dead = { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' }

async function statusOf(token: string): Promise<number> {
  return (await callJira(sandbox, token, '/issue/ABC-1')).status
}

describe('the token endpoint', () => {
  it('answers a code with tokens for an hour', async () => {
    expect(await connect(sandbox)).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'read:jira-work offline_access',
    })
  })

  it('gives a refresh token with offline_access alone', async () => {
    expect(await connect(sandbox, 'read:jira-work')).not.toHaveProperty('refresh_token')
  })

  it('takes a form as well', async () => {
    const { clientId: client_id, clientSecret: client_secret } = sandbox.jira.app
    const code = await getCode(sandbox)
    const grant_type = 'authorization_code'
    const answer = await fetch(`${sandbox.addresses.jiraAuth}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type,
        code,
        client_id,
        client_secret,
        redirect_uri: redirectUri,
      }),
    })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['a secret of the right length', { client_secret: `ATOA${'x'.repeat(64)}` }],
    ['another client', { client_id: 'other' }],
  ])('refuses %s, and leaves the code as it is', async (_, wrong) => {
    const code = await getCode(sandbox)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const answer = await postToken(sandbox, { ...fields, ...wrong })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      error: 'access_denied',
      error_description: 'Unauthorized',
    })
    expect((await postToken(sandbox, fields)).status).toBe(200)
  })

  it.each([
    [{ grant_type: 'client_credentials' }, 403, 'unsupported_grant_type'],
    [{}, 403, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
    [{ grant_type: 'authorization_code', redirect_uri: redirectUri }, 400, 'invalid_request'],
    [{ grant_type: 'authorization_code', code: 'code' }, 400, 'invalid_request'],
    [
      { grant_type: 'authorization_code', code: 'code', redirect_uri: redirectUri },
      403,
      'invalid_grant',
    ],
  ])('refuses %j', async (fields, status, error) => {
    const answer = await postToken(sandbox, fields)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error })
  })

  it('knows no way to revoke a token', async () => {
    for (const path of ['/oauth/revoke', '/oauth/token/revoke', '/revoke']) {
      const answer = await fetch(`${sandbox.addresses.jiraAuth}${path}`, { method: 'POST' })
      expect(answer.status).toBe(404)
    }
  })
})

describe('an access token', () => {
  it('is good for an hour', async () => {
    const { access_token: token } = await connect(sandbox)
    sandbox.clock.advance(60 * minute - 1_000)
    expect(await statusOf(token)).toBe(200)
    sandbox.clock.advance(2_000)
    expect(await statusOf(token)).toBe(401)
  })

  it('is good for ten minutes after the refresh token that came with it was used', async () => {
    const { access_token: token, refresh_token } = await connect(sandbox)
    await refresh(sandbox, refresh_token)
    sandbox.clock.advance(10 * minute - 1_000)
    expect(await statusOf(token)).toBe(200)
    sandbox.clock.advance(2_000)
    expect(await statusOf(token)).toBe(401)
  })
})

describe('a refresh token', () => {
  it('is exchanged for a new pair of the same scopes', async () => {
    const first = await connect(sandbox)
    const second = await refresh(sandbox, first.refresh_token)
    expect(second).toMatchObject({ expires_in: 3600, scope: first.scope })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.access_token).not.toBe(first.access_token)
    expect(await statusOf(second.access_token)).toBe(200)
  })

  it('that nobody gave is refused', async () => {
    const answer = await postRefresh(sandbox, 'unknown')
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual(dead)
  })

  it('may be used again for ten minutes, for whoever lost the answer', async () => {
    const first = await connect(sandbox)
    const lost = await refresh(sandbox, first.refresh_token)
    sandbox.clock.advance(10 * minute - 1_000)
    const again = await refresh(sandbox, first.refresh_token)
    expect(await statusOf(again.access_token)).toBe(200)
    expect((await postRefresh(sandbox, again.refresh_token)).status).toBe(200)
    expect((await postRefresh(sandbox, lost.refresh_token)).status).toBe(200)
  })

  it('that is used after that kills all tokens of its consent', async () => {
    const first = await connect(sandbox)
    const second = await refresh(sandbox, first.refresh_token)
    sandbox.clock.advance(10 * minute)
    expect(await statusOf(second.access_token)).toBe(200)
    const reused = await postRefresh(sandbox, first.refresh_token)
    expect(reused.status).toBe(403)
    expect(await reused.json()).toEqual(dead)
    expect(await statusOf(second.access_token)).toBe(401)
    expect((await postRefresh(sandbox, second.refresh_token)).status).toBe(403)
  })

  it('that is two steps old kills them at once', async () => {
    const first = await connect(sandbox)
    const second = await refresh(sandbox, first.refresh_token)
    const third = await refresh(sandbox, second.refresh_token)
    expect((await postRefresh(sandbox, first.refresh_token)).status).toBe(403)
    expect((await postRefresh(sandbox, third.refresh_token)).status).toBe(403)
  })

  it('of another consent outlives that', async () => {
    const first = await connect(sandbox)
    const other = await exchange(sandbox, await getCode(sandbox))
    await refresh(sandbox, first.refresh_token)
    sandbox.clock.advance(10 * minute)
    await postRefresh(sandbox, first.refresh_token)
    expect((await postRefresh(sandbox, other.refresh_token)).status).toBe(200)
  })

  it('ends after 90 days without use', async () => {
    const { refresh_token: first } = await connect(sandbox)
    sandbox.clock.advance(89 * day)
    const { refresh_token: second } = await refresh(sandbox, first)
    sandbox.clock.advance(89 * day)
    const { refresh_token: third } = await refresh(sandbox, second)
    sandbox.clock.advance(90 * day)
    const answer = await postRefresh(sandbox, third)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual(dead)
  })

  it('ends 365 days after the consent, however often it was exchanged', async () => {
    let { refresh_token: token } = await connect(sandbox)
    for (let used = 0; used < 6; used += 1) {
      sandbox.clock.advance(60 * day)
      token = (await refresh(sandbox, token)).refresh_token
    }
    sandbox.clock.advance(5 * day)
    expect((await postRefresh(sandbox, token)).status).toBe(403)
  })

  it('ends when the account removes the app', async () => {
    const { access_token, refresh_token } = await connect(sandbox)
    sandbox.jira.removeGrant()
    expect((await postRefresh(sandbox, refresh_token)).status).toBe(403)
    expect(await statusOf(access_token)).toBe(401)
  })
})
