import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Role } from '@signalbox/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { createEgress } from '../../egress/create-egress.ts'
import {
  bootstrapToken,
  openIdentityApp,
  type IdentityApp,
} from '../../identity/testing/open-identity-app.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { mountOutgoingWebhooks } from './routes.ts'
import { sendDueMessages, type SendDeps } from './send-messages.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let app: IdentityApp
let orgId: string
let environmentId: string
let receiver: Server
let origin: string
let sending: SendDeps
let answer: (path: string) => number
const received: Received[] = []
const egress = createEgress({ allow: ['127.0.0.1'] })

beforeAll(async () => {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const at = request.url ?? ''
    received.push({ path: at, headers: request.headers, body: await text(request) })
    response.writeHead(answer(at), { location: `${origin}/elsewhere` }).end('no secret here')
  }
  receiver = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  app = await openIdentityApp({
    mount: (router, { store, rootKeys, now }) => {
      const keys = createOrganizationKeys({ store, rootKeys, now })
      mountOutgoingWebhooks(router, { store, keys, egress, now, wake: () => undefined })
      const pageUrl = () => null
      sending = { store, keys, egress, pageUrl, now, log: silentLog, busy: new Set() }
    },
  })
  orgId = await app.addOrganization('Acme')
  environmentId = newId('env', new Date())
  await app.test.asOwner(
    `insert into environments (org_id, id, name, production) values ($1, $2, 'production', true)`,
    [orgId, environmentId],
  )
})
afterAll(async () => {
  await app.close()
  await egress.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})
beforeEach(async () => {
  received.length = 0
  answer = () => 204
  await app.test.asOwner('delete from outgoing_webhooks')
})

const path = () => `/organizations/${orgId}/outgoing-webhooks`
const ask = async (request: string, body?: object) => {
  const [method, rest = ''] = request.split(' ')
  return (await app.ok(`${method} ${path()}${rest}`, { as: bootstrapToken, ...(body && { body }) }))
    .body
}
const create = (body: object = {}) =>
  ask('POST ', { name: 'hook', url: `${origin}/in`, events: ['config.changed'], ...body })
const send = async () => {
  while ((await sendDueMessages(sending)) > 0);
}
const messagesOf = async (id: string) => (await ask(`GET /${id}/messages`)).items
const webhooks = async () => (await ask('GET ')).items

let versions = 0
/** Writes a version as a publication does, in a transaction of its own. */
async function publish(changes: object[], options: { rollBack?: boolean; createdAt?: Date } = {}) {
  const schemaId = newId('sch', new Date())
  versions += 1
  const id = newId('ver', new Date())
  await app.test.store
    .transaction({ orgId }, async (tx) => {
      const insert = (sql: string, values: unknown[]) => tx.query({ name: '', text: sql, values })
      await insert(
        `insert into config_schemas (org_id, id, name, definition) values ($1, $2, $3, '{}')`,
        [orgId, schemaId, `web${versions}`],
      )
      await insert(
        'insert into current_values (org_id, schema_id, environment_id) values ($1, $2, $3)',
        [orgId, schemaId, environmentId],
      )
      await insert(
        `insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, comment, changes,
          open_values, secret_values, created_at) values ($1, $2, $3, 42, $4, 'write', $5, 'why', $6, '{}', '{}', $7)`,
        [
          orgId,
          schemaId,
          environmentId,
          id,
          JSON.stringify({ type: 'user', id: 'usr_1', name: 'Ada' }),
          JSON.stringify(changes),
          options.createdAt ?? new Date(),
        ],
      )
      if (options.rollBack) throw new Error('rolled back')
    })
    .catch((error: unknown) => {
      if (!options.rollBack) throw error
    })
  return id
}
const secretChange = { key: 'stripeKey', tier: 'secret', change: 'changed' }
const flagChange = {
  key: 'newCheckout',
  tier: 'featureFlags',
  change: 'changed',
  before: false,
  after: true,
}

const headersOf = ({ headers }: Received) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
})

describe('the address of an outgoing webhook', () => {
  it('is shown whole to those who may change it, and cut to others, as its path may be a credential', async () => {
    for (const [name, url] of [
      ['path', `${origin}/services/T0/secret-token`],
      ['query', `${origin}/?token=secret-token`],
      ['bare', `${origin}/`],
    ] as const) {
      await create({ name, url })
    }
    const urlsOf = async (role: Role) => {
      const { token } = await app.addPerson(`w-${role}`, { [orgId]: role })
      const { body, text: answered } = await app.ok(`GET ${path()}`, { as: token })
      const urls = body.items.map(({ url }: { url: string }) => url)
      return { urls, isSecret: !answered.includes('secret-token') }
    }
    const cut = { urls: [`${origin}/…`, `${origin}/…`, `${origin}/`], isSecret: true }
    expect(await urlsOf('viewer')).toEqual(cut)
    expect(await urlsOf('developer')).toEqual(cut)
    expect((await urlsOf('admin')).urls).toContain(`${origin}/?token=secret-token`)
  })
})

describe('an address to which nothing will ever be sent', () => {
  const addresses = [
    ['https://10.0.0.1/in', 'Use a public address.'],
    ['https://169.254.169.254/latest', 'Use a public address.'],
    ['https://[::1]/in', 'Use a public address.'],
    ['https://2130706434/in', 'Use a public address.'],
    ['http://hooks.example.com/in', 'Use an https address'],
  ] as const

  it.each(addresses)('is refused when it is given: %s', async (url, advice) => {
    const made = { name: 'hook', url, events: ['config.changed'] }
    const answered = await app.call(`POST ${path()}`, { as: bootstrapToken, body: made })
    expect(answered.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/url', detail: expect.stringContaining(advice) }],
    })
    expect(await webhooks()).toEqual([])
  })

  it('is refused as a new address, and keeps nobody from switching its webhook off', async () => {
    const { id } = await create()
    const move = { as: bootstrapToken, body: { url: 'https://10.0.0.1/in' } }
    expect(await app.call(`PATCH ${path()}/${id}`, move)).toMatchObject({ status: 422 })
    expect(await ask(`PATCH /${id}`, { enabled: false })).toMatchObject({ enabled: false })
  })
})

describe('a message of an outgoing webhook', () => {
  it('is verified by two receiver libraries, and names keys and versions but no value', async () => {
    const { id, secret } = await create({ events: ['config.changed', 'flag.changed'] })
    const versionId = await publish([secretChange, flagChange])
    await send()
    expect(received).toHaveLength(2)
    for (const message of received) {
      for (const Library of [StandardWebhook, SvixWebhook]) {
        expect(() => new Library(secret).verify(message.body, headersOf(message))).not.toThrow()
        const other = new Library(`whsec_${Buffer.alloc(32).toString('base64')}`)
        expect(() => other.verify(message.body, headersOf(message))).toThrow('signature')
        expect(() => new Library(secret).verify(`${message.body} `, headersOf(message))).toThrow(
          'signature',
        )
      }
      expect(Buffer.byteLength(message.body)).toBeLessThan(20_000)
      expect(message.body).not.toMatch(/before|after|true|false/)
    }
    const bodies = new Map(received.map(({ body }) => [JSON.parse(body).type, JSON.parse(body)]))
    expect(bodies.get('config.changed')).toEqual({
      type: 'config.changed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        versionId,
        version: 42,
        kind: 'write',
        author: { type: 'user', name: 'Ada' },
        comment: 'why',
        schemaId: expect.stringMatching(/^sch_/),
        schema: `web${versions}`,
        environmentId: expect.stringMatching(/^env_/),
        environment: 'production',
        keyCount: 2,
        keys: ['newCheckout', 'stripeKey'],
      },
    })
    expect(bodies.get('flag.changed').data.keys).toEqual(['newCheckout'])
    expect(await messagesOf(id)).toMatchObject([
      { state: 'sent', attempts: 1, status: 204, reason: null },
      { state: 'sent', attempts: 1 },
    ])
    const [{ health }] = await webhooks()
    expect(health).toMatchObject({ state: 'ok', lastSentAt: expect.any(String) })
  })

  it('exists if and only if its event is committed, and only for events that are wanted and new', async () => {
    const { id } = await create()
    await create({ name: 'off', enabled: false })
    await create({ name: 'others', events: ['tests.finished'] })
    await publish([flagChange], { rollBack: true })
    await publish([flagChange], { createdAt: new Date(Date.now() - 2 * 3600_000) })
    const other = await app.addOrganization('Other')
    expect(await messagesOf(id)).toEqual([])
    await publish([flagChange])
    const rows = await app.test.asOwner<{ id: string; webhook_id: string }>(
      'select id, webhook_id from outgoing_messages',
    )
    expect(rows.map(({ webhook_id: of }) => of)).toEqual([id])
    expect(rows[0]?.id).toMatch(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    expect(other).not.toBe(orgId)
  })

  it('fits into 20 kB, however many keys with long names a version changes', async () => {
    await create()
    const changes = Array.from({ length: 2_000 }, (_, i) => ({
      ...secretChange,
      key: `k${i}`.padEnd(128, 'x'),
    }))
    await publish(changes)
    await send()
    const [message] = received
    expect(Buffer.byteLength(message?.body ?? '')).toBeLessThan(20_000)
    expect(JSON.parse(message?.body ?? '').data).toMatchObject({ keyCount: 2_000 })
  })

  it('is sent for deployments, tests and integrations when they end or need somebody', async () => {
    await create({
      events: ['deployment.finished', 'tests.finished', 'integration.attention'],
      format: 'generic',
    })
    const owner = (sql: string, values: unknown[]) => app.test.asOwner(sql, values)
    await owner(
      `insert into repositories (org_id, id, full_name) values ($1, 'rep_1', 'acme/shop')`,
      [orgId],
    )
    await owner(
      `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, state,
        source, created_at) values ($1, 'dep_1', 'rep_1', '1', 'abcdef0', 'main', 'branch', 'live', 'pending', 'api', now())`,
      [orgId],
    )
    await owner(
      `insert into test_runs (org_id, id, name, state, attempt) values ($1, 'run_1', 'e2e', 'running', 1)`,
      [orgId],
    )
    await owner(
      `insert into integrations (org_id, id, kind, provider, state) values ($1, 'int_1', 'chat', 'slack', 'connected')`,
      [orgId],
    )
    for (const state of ['in_progress', 'success', 'success']) {
      await owner(`update deployments set reported_state = $2, state = $2 where org_id = $1`, [
        orgId,
        state,
      ])
    }
    await owner(`update test_runs set state = 'failed', failed = 2 where org_id = $1`, [orgId])
    await owner(`update integrations set state = 'reauth_required' where org_id = $1`, [orgId])
    await owner(`update integrations set last_ok_at = now() where org_id = $1`, [orgId])
    await send()
    const sent = received
      .map(({ body }) => JSON.parse(body))
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    expect(sent.map(({ type, data: { state } }) => [type, state])).toEqual([
      ['deployment.finished', 'success'],
      ['integration.attention', 'reauth_required'],
      ['tests.finished', 'failed'],
    ])
    expect(sent[0].data).toMatchObject({
      repository: 'acme/shop',
      hostEnvironment: 'live',
      sha: 'abcdef0',
    })
  })
})

describe('an outgoing webhook', () => {
  it('signs with both secrets until the end of the overlap, and with the new one afterwards', async () => {
    const { id, secret } = await create()
    const rotated = await ask(`POST /${id}/rotate`, { overlapSeconds: 3600 })
    expect(rotated.secret).not.toBe(secret)
    await publish([flagChange])
    await send()
    const [first] = received
    if (first === undefined) throw new Error('Nothing arrived')
    expect(headersOf(first)['webhook-signature'].split(' ')).toHaveLength(2)
    for (const each of [secret, rotated.secret]) {
      expect(() => new StandardWebhook(each).verify(first.body, headersOf(first))).not.toThrow()
      expect(() => new SvixWebhook(each).verify(first.body, headersOf(first))).not.toThrow()
    }
    await ask(`POST /${id}/rotate`, { overlapSeconds: 0 })
    await publish([flagChange])
    await send()
    const last = received.at(-1)
    if (last === undefined) throw new Error('Nothing arrived')
    expect(headersOf(last)['webhook-signature'].split(' ')).toHaveLength(1)
    expect(() => new StandardWebhook(rotated.secret).verify(last.body, headersOf(last))).toThrow(
      'signature',
    )
  })

  it('shows neither its secret nor a rotated one to a repeat', async () => {
    const body = { name: 'hook', url: `${origin}/in`, events: ['config.changed'] }
    const headers = { 'idempotency-key': 'once' }
    const twice = async (request: string, sent: object) => {
      const call = () => app.ok(request, { as: bootstrapToken, body: sent, headers })
      return [(await call()).body, (await call()).body]
    }
    const [made, again] = await twice(`POST ${path()}`, body)
    const rotate = await twice(`POST ${path()}/${made.id}/rotate`, { overlapSeconds: 0 })
    expect([made.secret, rotate[0].secret]).toEqual([expect.any(String), expect.any(String)])
    expect([again.id, again.secret, rotate[1].secret]).toEqual([made.id, undefined, undefined])
  })

  it('tries again later with the same id and body, and gives up after nine attempts', async () => {
    const { id } = await create()
    answer = () => 503
    await publish([flagChange])
    await send()
    expect(received).toHaveLength(1)
    expect(await webhooks()).toMatchObject([{ health: { state: 'failing', reason: 'http_503' } }])
    for (let i = 0; i < 12; i++) {
      app.clock.advance(20 * 3600_000)
      await send()
    }
    expect(received).toHaveLength(9)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    const [dead] = await messagesOf(id)
    expect(dead).toMatchObject({ state: 'failed', attempts: 9, status: 503, nextAttemptAt: null })
    answer = () => 200
    const replayed = await ask(`POST /${id}/messages/${dead.id}/replay`)
    expect(replayed).toMatchObject({ id: dead.id, state: 'waiting' })
    const again = await app.call(`POST ${path()}/${id}/messages/${dead.id}/replay`, {
      as: bootstrapToken,
    })
    expect(again.body.code).toBe('conflict')
    await send()
    expect(received.at(-1)?.headers['webhook-id']).toBe(dead.id)
    expect(await messagesOf(id)).toMatchObject([{ state: 'sent', attempts: 1 }])
    expect(await webhooks()).toMatchObject([{ health: { state: 'ok', failingSince: null } }])
  })

  it('tries again at once where the clock was ten years ahead when it failed', async () => {
    await create()
    answer = () => 503
    const decade = 10 * 365 * 86_400_000
    app.clock.advance(decade)
    await publish([flagChange])
    await send()
    app.clock.advance(-decade)
    answer = () => 200
    await send()
    expect(received).toHaveLength(2)
  })

  it('loses no message when the process ends during a call, and repeats it with the same id', async () => {
    const { id } = await create()
    await publish([flagChange])
    const store: SendDeps['store'] = {
      maintenance: (work) => sending.store.maintenance(work),
      transaction: () => Promise.reject(new Error('The process has ended')),
    }
    await sendDueMessages({ ...sending, store })
    await send()
    expect(received).toEqual([])
    app.clock.advance(61_000)
    await send()
    expect(received).toHaveLength(1)
    expect(await messagesOf(id)).toMatchObject([{ state: 'sent', attempts: 2 }])
  })

  it('that is slow has ten calls at a time, and lets the messages of others pass', async () => {
    const slow = await create({ name: 'slow', url: `${origin}/slow` })
    for (let i = 0; i < 25; i++) await ask(`POST /${slow.id}/test`)
    const quick = await create({ name: 'quick', url: `${origin}/quick` })
    await ask(`POST /${quick.id}/test`)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const patient: SendDeps = {
      ...sending,
      egress: {
        async request(url, options) {
          if (url.endsWith('/slow')) await held
          return egress.request(url, options)
        },
      },
    }
    const rounds = [sendDueMessages(patient)]
    await expect.poll(() => sending.busy.size).toBe(1)
    rounds.push(sendDueMessages(patient))
    await expect.poll(() => received.map(({ path: at }) => at)).toEqual(['/quick'])
    rounds.push(sendDueMessages(patient))
    letGo()
    expect(await Promise.all(rounds)).toEqual([10, 1, 0])
    await send()
    expect(received).toHaveLength(26)
    expect(sending.busy.size).toBe(0)
  })

  it('follows no redirect, reaches no private address, and is switched off by 410', async () => {
    answer = () => 302
    const redirected = await create()
    await ask(`POST /${redirected.id}/test`)
    await send()
    expect(received.map(({ path: at }) => at)).toEqual(['/in'])
    expect(await messagesOf(redirected.id)).toMatchObject([
      { state: 'waiting', reason: 'http_302' },
    ])
    // The operator has stopped allowing these.
    const hidden = await create({ name: 'hidden' })
    const plain = await create({ name: 'plain' })
    const moveTo = (id: string, url: string) =>
      app.test.asOwner('update outgoing_webhooks set url = $2 where id = $1', [id, url])
    await moveTo(hidden.id, 'https://10.0.0.1/in')
    await moveTo(plain.id, 'http://hooks.example.com/in')
    await ask(`POST /${hidden.id}/test`)
    await ask(`POST /${plain.id}/test`)
    await send()
    expect(await messagesOf(hidden.id)).toMatchObject([{ reason: 'address_forbidden' }])
    expect(await messagesOf(plain.id)).toMatchObject([{ reason: 'invalid_url' }])
    answer = () => 410
    const gone = await create({ name: 'gone' })
    await ask(`POST /${gone.id}/test`)
    await send()
    expect((await webhooks()).find((each: { id: string }) => each.id === gone.id)).toMatchObject({
      enabled: false,
      health: { state: 'gone' },
    })
    const back = await ask(`PATCH /${gone.id}`, { enabled: true })
    expect(back).toMatchObject({ enabled: true, health: { state: 'ok' } })
  })

  it('sends Grafana its annotations, with the header that it needs and never shows again', async () => {
    const made = await create({
      format: 'grafana',
      authorization: 'Bearer glsa_canary',
      url: `${origin}/api/annotations`,
    })
    await publish([secretChange])
    await send()
    const [message] = received
    expect(message?.headers.authorization).toBe('Bearer glsa_canary')
    expect(JSON.parse(message?.body ?? '')).toEqual({
      time: expect.any(Number),
      tags: ['signalbox', 'config.changed', 'production', `web${versions}`],
      text: `Ada changed web${versions} in production (v42): stripeKey`,
    })
    expect(made).toMatchObject({ hasAuthorization: true })
    const texts = JSON.stringify([await webhooks(), await messagesOf(made.id)])
    expect(texts).not.toMatch(/glsa_canary|whsec_/)
    const [row] = await app.test.asOwner<{ sealed_secrets: Buffer }>(
      'select sealed_secrets from outgoing_webhooks',
    )
    expect(row?.sealed_secrets.toString('latin1')).not.toContain('glsa_canary')
    const without = await ask(`PATCH /${made.id}`, { authorization: null })
    expect(without.hasAuthorization).toBe(false)
    const trail = await app.ok(`GET /organizations/${orgId}/audit-events`, { as: bootstrapToken })
    expect(trail.text).toContain('outgoing_webhook.updated')
    expect(trail.text).not.toMatch(/glsa_canary|whsec_/)
  })

  it('keeps its header from another server, and says in the audit trail where it sends to', async () => {
    const { id } = await create({ authorization: 'Bearer glsa_canary' })
    const elsewhere = origin.replace('http://127.0.0.1', 'https://localhost')
    const move = { as: bootstrapToken, body: { url: `${elsewhere}/in` } }
    const refused = await app.call(`PATCH ${path()}/${id}`, move)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ pointer: '/authorization' }])
    expect(await webhooks()).toMatchObject([{ url: `${origin}/in` }])
    await ask(`PATCH /${id}`, { url: `${origin}/other`, name: 'moved' })
    await ask(`PATCH /${id}`, { ...move.body, authorization: 'Bearer new' })
    expect(await ask(`PATCH /${id}`, { url: `${origin}/in`, authorization: null })).toMatchObject({
      hasAuthorization: false,
    })
    expect(await ask(`PATCH /${id}`, move.body)).toMatchObject({ url: move.body.url })
    const trail = await app.ok(`GET /organizations/${orgId}/audit-events`, { as: bootstrapToken })
    expect(trail.body.items[0].detail).toMatchObject({ host: new URL(elsewhere).host })
  })

  it('sends nothing more of an organization that was deleted', async () => {
    const { id } = await create()
    await publish([flagChange])
    const mark = (sql: string) =>
      app.test.asOwner(`update organizations set deleted_at = ${sql} where id = $1`, [orgId])
    await mark('now()')
    await send()
    await mark('null')
    expect(received).toEqual([])
    expect(await messagesOf(id)).toMatchObject([{ state: 'failed', reason: 'org_deleted' }])
    expect(await webhooks()).toMatchObject([{ health: { state: 'ok' } }])
  })

  it('is refused with the name of another one, by which commands and files call it', async () => {
    const first = await create({ name: 'Deploys' })
    const other = await create({ name: 'other' })
    const given = { url: `${origin}/in`, events: ['config.changed'] }
    for (const answered of [
      await app.call(`POST ${path()}`, { as: bootstrapToken, body: { ...given, name: 'deploys' } }),
      await app.call(`PATCH ${path()}/${other.id}`, {
        as: bootstrapToken,
        body: { name: 'DEPLOYS' },
      }),
    ]) {
      expect([answered.status, answered.body.errors]).toMatchObject([409, [{ pointer: '/name' }]])
    }
    await ask(`PATCH /${first.id}`, { name: 'deploys' })
  })

  it('is refused with a wrong address or event, and as the twenty-first', async () => {
    for (const body of [
      { url: 'ftp://hooks.example.com' },
      { url: 'https://user:secret@hooks.example.com' },
      { url: 'nonsense' },
      { events: [] },
      { events: ['secret.revealed'] },
      { authorization: 'a\nb' },
    ]) {
      const made = { name: 'hook', url: `${origin}/in`, events: ['config.changed'], ...body }
      const answered = await app.call(`POST ${path()}`, { as: bootstrapToken, body: made })
      expect(answered.status).toBe(422)
    }
    for (let i = 0; i < 20; i++) await create({ name: `hook ${i}` })
    const made = { name: 'hook', url: `${origin}/in`, events: ['config.changed'] }
    const answered = await app.call(`POST ${path()}`, { as: bootstrapToken, body: made })
    expect(answered.body.code).toBe('quota_exceeded')
    const [{ id }] = await webhooks()
    await app.ok(`DELETE ${path()}/${id}`, { as: bootstrapToken })
    expect(await webhooks()).toHaveLength(19)
  })
})
