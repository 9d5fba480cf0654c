import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openService, type OpenService } from '../../../../test/testing/open-service.ts'

/** Describes a resource: how it is made, and a change that works. */
interface Resource {
  readonly list: string
  readonly create: () => Promise<string>
  readonly change: object
}

type Shown = Readonly<Record<string, unknown>>

let service: OpenService
let orgId: string

async function ask(method: string, path: string, body?: unknown): Promise<[number, Shown]> {
  const answer = await fetch(`${service.apiUrl}/organizations${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.bootstrapToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return [answer.status, (text === '' ? {} : JSON.parse(text)) as Shown]
}

const make = async (list: string, body: object) => {
  const [status, { id }] = await ask('POST', `/${orgId}/${list}`, body)
  expect(status).toBe(201)
  return String(id)
}
const countEvents = async () => {
  const [row] = await service.database.asOwner<{ count: string }>(
    'select count(*) as count from audit_events',
  )
  return Number(row?.count)
}

/** A route is stored here, because to create one needs a connected chat. Its channel is not tried again. */
async function storeRoute(): Promise<string> {
  const id = 'rte_01j9zq3v7w8x9y0a1b2c3d4e5f'
  await service.database.asOwner(
    `insert into notification_routes (org_id, id, name, channel_id, channel_name, match, events,
       broadcast_failures, health_state, created_at, updated_at)
     values ($1, $2, 'Deploys', 'C1', 'deploys',
       '{"environmentIds":null,"repositories":["acme/*"],"branches":null,"states":"failures"}',
       '{deployment}', true, 'ok', now(), now())`,
    [orgId, id],
  )
  return id
}

beforeAll(async () => {
  service = await openService()
  const [, organization] = await ask('POST', '', { name: 'Acme' })
  orgId = String(organization['id'])
})
afterAll(() => service.remove())

const resources: Readonly<Record<string, Resource>> = {
  'an environment': {
    list: 'environments',
    create: () =>
      make('environments', { name: 'eu', protection: { comment: true }, production: true }),
    change: { description: 'Customers in Europe' },
  },
  'a server key': {
    list: 'api-keys',
    create: () =>
      make('api-keys', {
        name: 'server',
        kind: 'm2m',
        serviceAccounts: [{ issuer: 'https://oidc.example.com', namespace: 'shop', name: 'web' }],
      }),
    change: { name: 'renamed' },
  },
  'a browser key': {
    list: 'api-keys',
    create: () =>
      make('api-keys', { name: 'browser', kind: 'b2m', allowedOrigins: ['https://a.example.com'] }),
    change: { allowedOrigins: null },
  },
  'an API key of some networks': {
    list: 'api-keys',
    create: () =>
      make('api-keys', { name: 'office', kind: 'm2m', allowedNetworks: ['203.0.113.9/24'] }),
    change: { allowedNetworks: null },
  },
  'an API key that has expired': {
    list: 'api-keys',
    async create() {
      const id = await make('api-keys', { name: 'expired', kind: 'm2m' })
      await service.database.asOwner(
        `update api_keys set expires_at = date_trunc('milliseconds', now() - interval '1 day') where id = $1`,
        [id],
      )
      return id
    },
    change: { name: 'renamed' },
  },
  'a notification route': {
    list: 'notification-routes',
    create: storeRoute,
    change: { broadcastFailures: false },
  },
  'an outgoing webhook': {
    list: 'outgoing-webhooks',
    async create() {
      const id = await make('outgoing-webhooks', {
        name: 'Grafana',
        url: 'https://grafana.example.com/api/annotations',
        events: ['config.changed'],
        format: 'grafana',
        authorization: 'Bearer glsa_1',
      })
      await service.database.asOwner(
        `update outgoing_webhooks set health_reason = 'http_500', failing_since = now() where id = $1`,
        [id],
      )
      return id
    },
    change: { enabled: false },
  },
}

describe.each(Object.entries(resources))('%s', (_name, { list, create, change }) => {
  it('changes nothing when the answer of its GET is sent back, and is deleted once', async () => {
    const id = await create()
    const path = `/${orgId}/${list}/${id}`
    const [status, before] = await ask('GET', path)
    expect([status, before['id']]).toEqual([200, id])
    const events = await countEvents()
    expect(await ask('PATCH', path, before)).toEqual([200, before])
    expect(await ask('GET', path)).toEqual([200, before])
    expect(await countEvents()).toBe(events)

    // The control: one changed member is a change, and is recorded.
    const [changed, after] = await ask('PATCH', path, { ...before, ...change })
    expect([changed, after]).toEqual([200, expect.objectContaining(change)])
    expect(await countEvents()).toBe(events + 1)

    const foreign = { ...after, id: `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}` }
    const [refused, { code }] = await ask('PATCH', path, foreign)
    expect([refused, code]).toEqual([422, 'validation_failed'])
    const confirmed = list === 'environments' ? '?comment=A%20test&confirm=eu' : ''
    expect((await ask('DELETE', `${path}${confirmed}`))[0]).toBe(204)
    // Again there is nothing to delete, and nothing changes. Clients take 404 as done.
    const deleted = await countEvents()
    expect([204, 404]).toContain((await ask('DELETE', `${path}${confirmed}`))[0])
    expect(await countEvents()).toBe(deleted)
  })
})
