import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { callMethod, connect } from './testing/slack-client.ts'

const sandbox = await openSandbox()

function request(method: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${sandbox.addresses.slackApi}/${method}`, init)
}

describe('a call', () => {
  it('is let in by GET and POST, with the token in the header, the query or the form', async () => {
    const { token, call } = await connect(sandbox)
    const headers = { authorization: `Bearer ${token}` }
    const answers = [
      await (await request('auth.test', { headers })).json(),
      await (await request('auth.test', { headers, method: 'POST' })).json(),
      await (await request(`auth.test?token=${token}`)).json(),
      await call('auth.test'),
    ]
    for (const answer of answers) {
      expect(answer).toEqual({
        ok: true,
        url: 'https://acme.slack.com/',
        team: 'Acme',
        user: 'signalbox',
        team_id: 'T0ACME0001',
        user_id: 'U0SIGNALBX',
        bot_id: 'B0SIGNALBX',
        app_id: 'A0SIGNALBX',
        is_enterprise_install: false,
      })
    }
  })

  it('may be JSON, with the token in the header only', async () => {
    const { token } = await connect(sandbox)
    const post = (headers: Record<string, string>, body: string) =>
      request('chat.postMessage', {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
        body,
      }).then((response) => response.json())
    const authorization = `Bearer ${token}`
    const body = JSON.stringify({ channel: 'C0DEPLOYS1', text: 'Hello', token })
    expect(await post({}, body)).toEqual({ ok: false, error: 'not_authed' })
    expect(await post({ authorization }, body)).toMatchObject({ ok: true })
    const nothing = JSON.stringify({ channel: 'C0DEPLOYS1', text: 'null', thread_ts: null })
    expect(await post({ authorization }, nothing)).toMatchObject({ message: { text: 'null' } })
    expect(sandbox.slack.messages('deployments')).toHaveLength(2)
    expect(await post({ authorization }, '{"channel"')).toEqual({
      ok: false,
      error: 'invalid_json',
    })
    expect(await post({ authorization }, '[]')).toEqual({ ok: false, error: 'json_not_object' })
  })

  it('is remarked upon when JSON comes without a charset', async () => {
    const { token } = await connect(sandbox)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await request('auth.test', { method: 'POST', headers, body: '{}' })
    expect(await response.json()).toMatchObject({
      ok: true,
      warning: 'missing_charset',
      response_metadata: { warnings: ['missing_charset'] },
    })
  })

  it('of an unknown method is answered with 200 and unknown_method, token or not', async () => {
    const response = await request('chat.shout', { method: 'POST' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      ok: false,
      error: 'unknown_method',
      req_method: 'chat.shout',
    })
  })

  it('tells the scopes of the token and those that the method takes', async () => {
    const { token } = await connect(sandbox, ['chat:write', 'team:read'])
    const { headers } = await request(`team.info?token=${token}`)
    expect(headers.get('x-oauth-scopes')).toBe('chat:write,team:read')
    expect(headers.get('x-accepted-oauth-scopes')).toBe('team:read')
  })
})

describe('a call is refused', () => {
  it('without a token: not_authed', async () => {
    expect(await callMethod(sandbox, 'auth.test', {})).toEqual({ ok: false, error: 'not_authed' })
  })

  it('with an unknown token: invalid_auth', async () => {
    const refused = await callMethod(sandbox, 'auth.test', { token: 'xoxb-unknown' })
    expect(refused).toEqual({ ok: false, error: 'invalid_auth' })
  })

  it('after auth.revoke: token_revoked', async () => {
    const { call } = await connect(sandbox)
    expect(await call('auth.revoke', { test: '1' })).toEqual({ ok: true, revoked: false })
    expect(await call('auth.revoke')).toEqual({ ok: true, revoked: true })
    expect(await call('auth.test')).toEqual({ ok: false, error: 'token_revoked' })
    expect(await (await connect(sandbox)).call('auth.test')).toMatchObject({ ok: true })
  })

  it('after the app has been removed: account_inactive', async () => {
    const { call } = await connect(sandbox)
    sandbox.slack.invite('releases')
    sandbox.slack.uninstall()
    expect(await call('auth.test')).toEqual({ ok: false, error: 'account_inactive' })
    const again = await connect(sandbox, ['groups:read'])
    expect(again.body).toMatchObject({ scope: 'groups:read' })
    expect(await again.call('users.conversations', { types: 'private_channel' })).toMatchObject({
      channels: [],
    })
  })

  it.each([
    ['chat.postMessage', 'chat:write'],
    ['chat.update', 'chat:write'],
    ['chat.delete', 'chat:write'],
    ['conversations.list', 'channels:read'],
    ['conversations.info', 'channels:read'],
    ['conversations.join', 'channels:join'],
    ['conversations.history', 'channels:history'],
    ['conversations.replies', 'channels:history'],
    ['users.conversations', 'channels:read'],
    ['users.lookupByEmail', 'users:read.email'],
    ['reactions.add', 'reactions:write'],
    ['team.info', 'team:read'],
  ])('without the scope of %s: missing_scope', async (method, needed) => {
    const { call } = await connect(sandbox, ['commands'])
    expect(await call(method, { channel: 'C0DEPLOYS1' })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed,
      provided: 'commands',
    })
  })
})

describe('apps.uninstall', () => {
  it('needs the id and the secret of the app, and ends every token', async () => {
    const { call } = await connect(sandbox)
    const { clientId, clientSecret } = sandbox.slack.app
    const uninstall = (client_id: string, client_secret: string) =>
      call('apps.uninstall', { client_id, client_secret })
    expect(await uninstall('1.2', clientSecret)).toMatchObject({ error: 'invalid_client_id' })
    expect(await uninstall(clientId, 'wrong')).toMatchObject({ error: 'bad_client_secret' })
    expect(await uninstall(clientId, clientSecret)).toEqual({ ok: true })
    expect(await call('auth.test')).toMatchObject({ error: 'account_inactive' })
  })
})

describe('users.lookupByEmail', () => {
  it('finds a person, whatever the case, and nobody else', async () => {
    const { call } = await connect(sandbox, ['users:read.email'])
    expect(await call('users.lookupByEmail', { email: 'Ada@acme.example' })).toMatchObject({
      user: { id: 'U0ADA00001', name: 'ada' },
    })
    expect(await call('users.lookupByEmail', { email: 'nobody@acme.example' })).toEqual({
      ok: false,
      error: 'users_not_found',
    })
  })
})

describe('reset', () => {
  it('leaves the app as it was configured and forgets everything else', async () => {
    const { clientId } = sandbox.slack.app
    const { call } = await connect(sandbox)
    sandbox.slack.rateLimit = true
    sandbox.slack.addChannel({ name: 'extra' })
    sandbox.slack.say('general', 'ada', 'Hello')
    sandbox.reset()
    expect(sandbox.slack.app.clientId).toBe(clientId)
    expect(sandbox.slack.rateLimit).toBe(false)
    expect(sandbox.slack.messages('general')).toEqual([])
    expect(() => sandbox.slack.channelId('extra')).toThrow('no channel extra')
    expect(await call('auth.test')).toEqual({ ok: false, error: 'invalid_auth' })
  })
})
