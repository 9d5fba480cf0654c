import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { bootstrapToken, openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'

let app: IdentityApp
let orgId: string
let key: { id: string; secret: string }

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
  key = await app.addKey(orgId)
})
afterAll(() => app.close())

const form = (parameters: Record<string, string>, headers = {}) =>
  app.call('POST /oauth/token', {
    raw: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const grant = { grant_type: 'client_credentials' }
const client = () => ({ ...grant, client_id: key.id, client_secret: key.secret })
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const exchange = async (of = key): Promise<string> => {
  const { body } = await form({ ...grant, client_id: of.id, client_secret: of.secret })
  return body.access_token
}

describe('POST /oauth/token (RFC 6749 §4.4)', () => {
  it('takes the client as a form, as JSON or with Basic, and answers as §5.1 says', async () => {
    const answers = [
      await form(client()),
      await app.call('POST /oauth/token', { body: client() }),
      await form(grant, basic(key.id, key.secret)),
      await form({ ...grant, client_id: key.id }, basic(key.id, key.secret)),
      await form({ ...client(), scope: '', audience: 'anything', resource: 'x' }),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 900,
      })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('pragma')).toBe('no-cache')
    }
  })

  it('says unsupported grants and malformed requests as §5.2 does', async () => {
    const errors = [
      await form({ ...client(), grant_type: 'password' }),
      await form({ client_id: key.id, client_secret: key.secret }),
      await form(client(), basic(key.id, key.secret)),
      await form({ ...grant, client_id: 'key_other' }, basic(key.id, key.secret)),
      await form(grant, { authorization: 'Bearer x' }),
      await app.call('POST /oauth/token', {
        raw: 'grant_type=client_credentials&grant_type=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      await app.call('POST /oauth/token', { raw: '{', headers: {} }),
      await app.call('POST /oauth/token', {
        raw: JSON.stringify(client()).replace('{', '{"client_id":"another",'),
      }),
      await app.call('POST /oauth/token', {
        raw: JSON.stringify(client()).replace('{', '{"a":"\\ud800",'),
      }),
      await app.call('POST /oauth/token', { raw: '[]', headers: {} }),
      await app.call('POST /oauth/token', { raw: 'x', headers: { 'content-type': 'text/plain' } }),
      await app.call('POST /oauth/token'),
    ]
    expect(errors.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'unsupported_grant_type'],
      ...Array.from({ length: 11 }, () => [400, 'invalid_request']),
    ])
    for (const { headers } of errors) expect(headers.get('cache-control')).toBe('no-store')
  })

  it('answers 401 invalid_client for wrong, foreign, revoked and expired keys', async () => {
    const other = await app.addKey(orgId)
    await app.ok(`DELETE /organizations/${orgId}/api-keys/${other.id}`, { as: bootstrapToken })
    const errors = [
      await form({ ...grant, client_id: key.id, client_secret: key.secret.slice(0, -1) }),
      await form({ ...grant, client_id: 'key_other', client_secret: key.secret }),
      await form({ ...grant, client_id: other.id, client_secret: other.secret }),
      await form(grant),
      await form(grant, basic(key.id, 'wrong')),
    ]
    expect(errors.map(({ status, body }) => [status, body.error])).toEqual(
      Array.from({ length: 5 }, () => [401, 'invalid_client']),
    )
    expect(errors[2]?.body.error_description).toContain('revoked')
    expect(errors[0]?.headers.get('www-authenticate')).toBeNull()
    expect(errors[4]?.headers.get('www-authenticate')).toBe('Basic realm="signalbox"')
    for (const { text } of errors) expect(text).not.toContain(key.secret.slice(18, 40))
  })

  it('exchanges no personal access token and not the bootstrap token', async () => {
    const { token, tokenId } = await app.addPerson('ada')
    const asPat = await form({ ...grant, client_id: tokenId, client_secret: token })
    const asBootstrap = await form({
      ...grant,
      client_id: 'bootstrap',
      client_secret: bootstrapToken,
    })
    expect([asPat.body.error, asBootstrap.body.error]).toEqual(['invalid_client', 'invalid_client'])
  })

  it('stops guessing after 60 wrong keys in a minute, and refuses no right one for them', async () => {
    const node = await app.openNode({
      rateLimits: { ...defaultRateLimits, open: { perSecond: 1e6, burst: 1e6 } },
    })
    const wrong = { ...client(), client_secret: 'sbx_m2m_wrong' }
    let last = await node.call('POST /oauth/token', { body: wrong })
    for (let i = 0; i < 60; i++) last = await node.call('POST /oauth/token', { body: wrong })
    expect([last.status, last.body.code]).toEqual([429, 'rate_limited'])
    expect(last.headers.get('retry-after')).not.toBeNull()
    expect((await node.call('POST /oauth/token', { body: client() })).status).toBe(200)
  })
})

describe('an access token', () => {
  it('may do what its key may, and nothing else', async () => {
    const token = await exchange()
    expect((await app.ok('GET /me', { as: token })).body).toMatchObject({
      type: 'api_key',
      id: key.id,
      keyKind: 'm2m',
    })
    expect((await app.call(`GET /organizations/${orgId}`, { as: token })).status).toBe(200)
    const managing = await app.call(`GET /organizations/${orgId}/api-keys`, { as: token })
    expect(managing.body.code).toBe('key_kind_forbidden')
    const browser = await app.addKey(orgId, { kind: 'b2m' })
    const browserToken = await exchange(browser)
    const refused = await app.call(`GET /organizations/${orgId}`, { as: browserToken })
    expect(refused.body.code).toBe('key_kind_forbidden')
  })

  it('is good on other nodes, and dies there with its key', async () => {
    const mine = await app.addKey(orgId)
    const other = await app.openNode()
    const token = await exchange(mine)
    await other.feed.refresh()
    expect((await other.call('GET /me', { as: token })).status).toBe(200)
    await app.ok(`DELETE /organizations/${orgId}/api-keys/${mine.id}`, { as: bootstrapToken })
    expect((await app.call('GET /me', { as: token })).body.code).toBe('revoked_credentials')
    await other.feed.refresh()
    expect((await other.call('GET /me', { as: token })).body.code).toBe('revoked_credentials')
  })
})
