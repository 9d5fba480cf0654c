import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { toHref } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addProof } from '../../configs/testing/add-proof.ts'
import { makeProtected, type Protected } from '../../configs/requests/testing/protected-app.ts'
import { openConfigApp, type ConfigApp } from '../../configs/testing/open-config-app.ts'
import { createEgress } from '../../egress/create-egress.ts'
import { silentLog } from '../../telemetry/log.ts'
import { mountOutgoingWebhooks } from './routes.ts'
import { sendDueMessages } from './send-messages.ts'

interface Message {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

const egress = createEgress({ allow: ['127.0.0.1'] })
let receiver: Server
let opened: ConfigApp
let app: ConfigApp
let shop: Protected
const bodies: string[] = []

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  bodies.push(await text(request))
  response.writeHead(204).end()
}

beforeAll(async () => {
  receiver = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  opened = await openConfigApp({
    mount: (router, { store, keys, now }) =>
      mountOutgoingWebhooks(router, { store, keys, egress, now, wake: () => undefined }),
  })
})
beforeEach(async () => {
  bodies.length = 0
  app = await opened.another()
  shop = await makeProtected(app)
})
afterAll(async () => {
  await opened.close()
  await egress.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

const all = [
  'change.requested',
  'change.approved',
  'change.declined',
  'change.applied',
  'change.overridden',
  'change.failed',
  'change.proven',
  'change.restored',
  'change.inconclusive',
  'change.proof_failed',
]

const listen = (more: object = {}) =>
  app.ok('admin', 'POST /outgoing-webhooks', {
    body: {
      name: 'all',
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`,
      events: all,
      ...more,
    },
  })

/** Sends what waits, and returns the messages in the order of their events. */
async function send(): Promise<Message[]> {
  const { store, keys, now } = app.deps
  const pageUrl = (orgId: string, page: Parameters<typeof toHref>[0]) =>
    `https://signalbox.acme.dev/${orgId}${toHref(page)}`
  const deps = { store, keys, egress, pageUrl, now, log: silentLog, busy: new Set<string>() }
  while ((await sendDueMessages(deps)) > 0);
  const messages = bodies.map((body) => JSON.parse(body) as Message)
  return messages.toSorted((one, other) => {
    const order = all.indexOf(one.type) - all.indexOf(other.type)
    return order === 0 ? Number(one.data['number']) - Number(other.data['number']) : order
  })
}

describe('an outgoing webhook of change requests', () => {
  it('hears of the request, each verdict and the applied change, with names and the page, and no value', async () => {
    await listen()
    const { body } = await shop.ask('ada', { title: 'Two', stripeKey: 'sk_live_2' })
    await shop.review('cleo', body.id, 'comment')
    await shop.review('cleo', body.id, 'decline')
    await shop.review('cleo', body.id, 'approve')
    await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    const messages = await send()
    expect(messages.map(({ type }) => type)).toEqual([
      'change.requested',
      'change.approved',
      'change.declined',
      'change.applied',
    ])
    const common = {
      id: body.id,
      number: 1,
      title: 'Change stripeKey and 1 more in production',
      kind: 'values',
      revision: 1,
      author: { type: 'user', name: 'ada' },
      environments: ['production'],
      url: `https://signalbox.acme.dev/${app.orgId}/requests/1`,
    }
    const by = { type: 'user', name: 'cleo' }
    expect(messages.map(({ data }) => data)).toEqual([
      { ...common, state: 'waiting' },
      { ...common, state: 'waiting', by },
      { ...common, state: 'waiting', by },
      {
        ...common,
        state: 'applied',
        by: { type: null, name: null },
        overridden: false,
        comment: null,
        failure: null,
      },
    ])
    expect(bodies.join()).not.toMatch(/sk_live|Two/)
  })

  it('hears of a change without its approvals twice, and of one that failed by its code', async () => {
    await listen()
    const { body } = await shop.ask('ada', { title: 'Two' })
    await app.ok('dan', `POST /change-requests/${body.id}/override`, {
      body: { comment: 'Customers cannot pay at all' },
    })
    const late = await shop.ask('ada', { title: 'Three' })
    await app.test.asOwner(
      `update change_requests set state = 'failed', failure = '{"code":"too_late","detail":"It is sk_live_1."}' where id = $1`,
      [late.body.id],
    )
    const messages = await send()
    expect(messages.map(({ type, data }) => [type, data['number'], data['state']])).toEqual([
      ['change.requested', 1, 'waiting'],
      ['change.requested', 2, 'waiting'],
      ['change.applied', 1, 'applied'],
      ['change.overridden', 1, 'applied'],
      ['change.failed', 2, 'failed'],
    ])
    expect(messages[3]?.data).toMatchObject({
      overridden: true,
      by: { type: 'user', name: 'dan' },
      comment: 'Customers cannot pay at all',
    })
    expect(messages[4]?.data).toMatchObject({ failure: 'too_late', overridden: false })
    expect(bodies.join()).not.toContain('sk_live')
  })

  it('gets an annotation of Grafana, and no more than 20 kB of a large request', async () => {
    await listen({ format: 'grafana' })
    const title = '\u{1f680}'.repeat(100)
    await app.ok('ada', 'POST /change-requests', {
      body: {
        title,
        operation: {
          kind: 'values',
          body: {
            schemaId: shop.schemaId,
            changes: [{ environmentId: shop.production, set: { title: 'x'.repeat(60_000) } }],
          },
        },
      },
    })
    await send()
    expect(bodies).toHaveLength(1)
    expect(Buffer.byteLength(bodies[0] ?? '')).toBeLessThan(20_000)
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      tags: ['signalbox', 'change.requested', 'production'],
      text: `ada asked for request 1 in production: ${title}`,
    })
  })
})

describe('an outgoing webhook of proofs', () => {
  const versions = async () =>
    app.test.asOwner<{ id: string; version: number }>(
      'select id, version from config_versions where org_id = $1 and environment_id = $2 order by version',
      [app.orgId, shop.staging],
    )
  const end = async (set: string, more: unknown[] = []) => {
    const last = (await versions()).at(-1)
    const { id: versionId, version } = last ?? { id: '', version: 0 }
    const id = await addProof(app.test, { orgId: app.orgId, versionId })
    await app.test.asOwner(`update proofs set ended_at = now(), ${set} where id = $1`, [
      id,
      ...more,
    ])
    return { id, versionId, version }
  }
  const save = (title: string) =>
    shop.set('m2m', { title, stripeKey: `sk_live_${title}` }, shop.staging)
  const reason = { code: 'signal', signal: null, detail: 'api-errors was 4.2, above 2' }

  it('hears how each ends, with names, the reason and the version that took it back, and no value', async () => {
    await listen()
    await save('Two')
    const { id, versionId } = await end(`state = 'failed', reason = $2, restored = $3`, [
      reason,
      JSON.stringify([
        { environmentId: shop.staging, versionId: 'ver_9', version: 4, keys: ['title'] },
      ]),
    ])
    await save('Three')
    await end(`state = 'proven'`)
    await save('Four')
    await end(`state = 'inconclusive', reason = $2`, [
      { ...reason, code: 'no_data', detail: 'No data' },
    ])
    await save('Five')
    await end(`state = 'failed', reason = $2, not_restored = $3`, [
      reason,
      { code: 'touched', keys: ['title'], detail: 'Somebody has changed the key since' },
    ])
    await save('Six')
    await end(`state = 'stopped'`)
    const messages = await send()
    expect(messages.map(({ type, data }) => [type, data['version'], data['state']])).toEqual([
      ['change.proven', 4, 'proven'],
      ['change.restored', 3, 'failed'],
      ['change.inconclusive', 5, 'inconclusive'],
      ['change.proof_failed', 6, 'failed'],
    ])
    expect(messages[1]?.data).toEqual({
      id,
      state: 'failed',
      versionId,
      version: 3,
      schemaId: shop.schemaId,
      schema: 'web',
      environmentId: shop.staging,
      environment: 'staging',
      keyCount: 2,
      keys: ['stripeKey', 'title'],
      signals: ['api-errors'],
      reason: { code: 'signal', detail: 'api-errors was 4.2, above 2', signal: null },
      restored: [
        { environmentId: shop.staging, environment: 'staging', versionId: 'ver_9', version: 4 },
      ],
      notRestored: null,
      url: `https://signalbox.acme.dev/${app.orgId}/history?schema=${shop.schemaId}&version=${versionId}`,
    })
    expect(messages[3]?.data['notRestored']).toEqual({
      code: 'touched',
      detail: 'Somebody has changed the key since',
    })
    expect(bodies.join()).not.toMatch(/sk_live|Two|Five/)
  })

  it('gets an annotation of Grafana that tells it in one sentence', async () => {
    await listen({ format: 'grafana' })
    await save('Two')
    await end(`state = 'failed', reason = $2, restored = $3`, [
      reason,
      JSON.stringify([{ environmentId: shop.staging, versionId: 'ver_9', version: 4, keys: [] }]),
    ])
    await send()
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      tags: ['signalbox', 'change.restored', 'staging', 'web'],
      text: 'web v3 in staging was taken back by v4: api-errors was 4.2, above 2',
    })
  })

  it('control: hears nothing of one whose state stays', async () => {
    await listen()
    await save('Two')
    await end(`until = now()`)
    expect(await send()).toEqual([])
  })
})
