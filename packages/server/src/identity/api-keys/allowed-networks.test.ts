import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'

let app: IdentityApp
let orgId: string
let admin: string

beforeAll(async () => {
  app = await openIdentityApp()
  orgId = await app.addOrganization('Acme')
  admin = (await app.addPerson('admin', { [orgId]: 'admin' })).token
})
afterAll(() => app.close())

const keys = () => `/organizations/${orgId}/api-keys`
const create = (body: object) =>
  app.call(`POST ${keys()}`, { as: admin, body: { name: 'office', kind: 'm2m', ...body } })
const patch = (id: string, allowedNetworks: unknown) =>
  app.call(`PATCH ${keys()}/${id}`, { as: admin, body: { allowedNetworks } })
/** Asks as if from an address: the test's reader of addresses believes the header. */
const askFrom = (address: string, as: string) =>
  app.call('GET /me', { as, headers: { 'x-forwarded-for': address } })
const exchangeFrom = (address: string, key: { readonly id: string; readonly secret: string }) =>
  app.call('POST /oauth/token', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: key.id,
      client_secret: key.secret,
    }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': address,
    },
  })

describe('a key with allowed networks, at the API', () => {
  it('works from them, and from nowhere else: with its secret, and with its access tokens', async () => {
    const { body: key } = await create({ allowedNetworks: ['203.0.113.9/24', '2001:db8::1'] })
    expect(key.allowedNetworks).toEqual(['203.0.113.0/24', '2001:db8::1/128'])
    for (const address of ['203.0.113.77', '2001:db8::1'])
      expect((await askFrom(address, key.secret)).status).toBe(200)
    const refused = await askFrom('198.51.100.1', key.secret)
    expect(refused.body).toMatchObject({ status: 403, code: 'network_forbidden' })
    expect(refused.body.detail).toContain('198.51.100.1')
    expect(refused.body.detail).toContain('Allowed networks')

    const { body: exchanged } = await exchangeFrom('203.0.113.1', key)
    expect((await askFrom('203.0.113.1', exchanged.access_token)).status).toBe(200)
    const elsewhere = await askFrom('198.51.100.1', exchanged.access_token)
    expect(elsewhere.body.code).toBe('network_forbidden')
    const { status, body } = await exchangeFrom('198.51.100.1', key)
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
    expect(body.error_description).toContain('198.51.100.1')
  })

  it('says nothing of networks to who has no right secret', async () => {
    const { body: key } = await create({ allowedNetworks: ['203.0.113.0/24'] })
    const wrong = await askFrom('198.51.100.1', `${key.secret.slice(0, -6)}AAAAAA`)
    expect(wrong.body.code).toBe('invalid_credentials')
  })

  it('control: works from everywhere without them', async () => {
    const { body: key } = await create({})
    expect(key.allowedNetworks).toBeNull()
    expect((await askFrom('198.51.100.1', key.secret)).status).toBe(200)
  })

  it('is changed at once, with what was before and after in the audit log', async () => {
    const { body: key } = await create({ allowedNetworks: ['203.0.113.0/24'] })
    const event = await expectOneEvent(app.test, 'key.updated', async () => {
      const { body } = await patch(key.id, ['198.51.100.0/24', '198.51.100.9/24'])
      expect(body.allowedNetworks).toEqual(['198.51.100.0/24'])
    })
    expect(event.detail).toEqual({
      fields: ['allowedNetworks'],
      allowedNetworks: { from: ['203.0.113.0/24'], to: ['198.51.100.0/24'] },
    })
    expect((await askFrom('203.0.113.1', key.secret)).body.code).toBe('network_forbidden')
    expect((await askFrom('198.51.100.1', key.secret)).status).toBe(200)
    await expectNoEvent(app.test, () => patch(key.id, ['198.51.100.77/24']))
    expect((await patch(key.id, null)).body.allowedNetworks).toBeNull()
    expect((await askFrom('192.0.2.1', key.secret)).status).toBe(200)
  })

  it('is refused with a place for each network that is none, and is not stored', async () => {
    const before = await app.ok(`GET ${keys()}`, { as: admin })
    const bad = await create({ allowedNetworks: ['203.0.113.0/24', '10.0.0.0/33', 'office'] })
    expect([bad.status, bad.body.errors]).toMatchObject([
      422,
      [
        { pointer: '/allowedNetworks/1', code: 'validation_failed' },
        { pointer: '/allowedNetworks/2', code: 'validation_failed' },
      ],
    ])
    expect((await create({ allowedNetworks: [] })).body.errors).toMatchObject([
      { pointer: '/allowedNetworks' },
    ])
    const after = await app.ok(`GET ${keys()}`, { as: admin })
    expect(after.body.items).toHaveLength(before.body.items.length)
  })
})
