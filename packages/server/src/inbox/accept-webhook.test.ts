import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookProvider } from '../providers/find-provider.ts'
import { acceptWebhook, type AcceptDeps } from './accept-webhook.ts'
import { unpackBody } from './packed-body.ts'
import { processWebhook } from './process-webhook.ts'
import { createDeliveryStore, type DeliveryStoreDeps } from './store-deliveries.ts'
import {
  openInboxApp,
  secret,
  signWebhook,
  webhookProvider,
  type InboxApp,
} from './testing/open-inbox-app.ts'

let inbox: InboxApp
beforeAll(async () => {
  inbox = await openInboxApp()
})
beforeEach(() => inbox.clear())
afterAll(() => inbox.close())

const github = webhookProvider('github')

const body = '{"installation":{"id":7},"repository":{"id":9}}'

describe('a webhook that is signed', () => {
  it('is stored with its bytes and its job before it is answered with 202', async () => {
    expect(await inbox.send(body, { deliveryId: 'd-1' })).toEqual({ status: 202, text: '' })
    const [row] = await inbox.test.asOwner<{ body: Buffer; headers: object; id: string }>(
      'select * from received_webhooks',
    )
    expect(row).toMatchObject({
      delivery_id: 'd-1',
      account_id: '7',
      repository_id: '9',
      state: 'received',
      origin: 'push',
    })
    expect(row && (await unpackBody(row.body)).toString()).toBe(body)
    expect(Object.keys(row?.headers ?? {})).not.toContain('x-hub-signature-256')
    expect(await inbox.listJobs()).toEqual([
      { data: { id: row?.id }, singleton_key: 'github:repository:9' },
    ])
  })

  it('is answered only when it is committed', async () => {
    const commit = Promise.withResolvers<void>()
    const held = {
      ...inbox.store,
      intake: holdCommits(inbox.store, commit.promise),
    }
    const deliveries = createDeliveryStore({ store: held, jobs: inbox.jobs })
    let isAnswered = false
    const answer = knock({ deliveries }).finally(() => {
      isAnswered = true
    })
    try {
      // All statements ran, and only the commit is missing.
      await expect.poll(() => inbox.test.asOwner(openSql)).toHaveLength(1)
      expect(isAnswered).toBe(false)
      expect(await inbox.listRows()).toEqual([])
    } finally {
      commit.resolve()
    }
    await answer
    expect(await inbox.listRows()).toHaveLength(1)
  })

  it('is refused when it cannot be stored, and nothing of it is', async () => {
    const failing: DeliveryStoreDeps['jobs'] = { enqueueAll: () => Promise.reject(new Error('no')) }
    const deliveries = createDeliveryStore({ store: inbox.store, jobs: failing })
    await expect(knock({ deliveries })).rejects.toThrow('no')
    expect(await inbox.listRows()).toEqual([])
    await knock({})
    expect(await inbox.listRows()).toHaveLength(1)
  })

  it('is one row and one job when it comes a hundred times at once', async () => {
    const sent = Array.from({ length: 100 }, () => inbox.send(body, { deliveryId: 'same' }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([202]))
    expect(await inbox.listRows()).toMatchObject([{ delivery_id: 'same', duplicates: 99 }])
    expect(await inbox.listJobs()).toHaveLength(1)
  })

  it('is one row when two nodes take it, together with others in another order', async () => {
    const nodes = [0, 1].map(() => createDeliveryStore({ store: inbox.store, jobs: inbox.jobs }))
    const ids = Array.from({ length: 40 }, (_, at) => `d-${at}`)
    await Promise.all(
      nodes.flatMap((deliveries, node) =>
        (node === 0 ? ids : ids.toReversed()).map((id) => knock({ deliveries }, id)),
      ),
    )
    const rows = await inbox.listRows()
    expect(rows.map(({ duplicates }) => duplicates)).toEqual(ids.map(() => 1))
    expect(await inbox.listJobs()).toHaveLength(40)
  })

  it('is received again when it came to nothing before, and not when it is done', async () => {
    for (const [id, state] of [
      ['f', 'failed'],
      ['d', 'dead'],
      ['o', 'done'],
      ['i', 'ignored'],
    ]) {
      await inbox.send(body, { deliveryId: id ?? '' })
      await inbox.test.asOwner('update received_webhooks set state = $2 where delivery_id = $1', [
        id,
        state,
      ])
    }
    await inbox.test.asOwner('delete from pgboss.job')
    for (const deliveryId of ['f', 'd', 'o', 'i']) await inbox.send(body, { deliveryId })
    const rows = await inbox.listRows()
    expect(rows.map(({ state }) => state)).toEqual(['received', 'received', 'done', 'ignored'])
    expect(await inbox.listJobs()).toHaveLength(2)
  })

  it('keeps the order in which they came, for those of a repository', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `o-${30 - at}`)
    await Promise.all(ids.map((deliveryId) => inbox.send(body, { deliveryId })))
    const rows = new Map((await inbox.listRows()).map((row) => [row.id, row.delivery_id]))
    const jobs = (await inbox.listJobs()).map(({ data }) => rows.get(data.id))
    expect(jobs).toEqual(ids)
  })

  it('is stored whatever its body is', async () => {
    const bodies = ['"\\u0000"', '{"action":"\\u0000"}', '[]', 'null', 'payload={}']
    for (const each of bodies) expect((await inbox.send(each)).status).toBe(202)
    expect(await inbox.listRows()).toHaveLength(bodies.length)
  })

  it('is stored and refused when it is no JSON, and says so once it is processed', async () => {
    const deep = '['.repeat(200_000)
    for (const each of ['', '<html>', '{"a":', '[[[[', '\u0000', 'payload=%zz', deep]) {
      expect(await inbox.send(each)).toEqual({
        status: 400,
        text: expect.stringContaining('"invalid_json"'),
      })
    }
    const rows = await inbox.listRows()
    expect(rows).toHaveLength(7)
    expect(await inbox.listJobs()).toHaveLength(7)
    for (const { id } of rows) await processWebhook(inbox.processDeps, { id, isLastTry: false })
    for (const row of await inbox.listRows()) {
      expect(row).toMatchObject({ state: 'ignored', reason: 'The body is not valid JSON.' })
    }
  })
})

describe('a request that is not genuine', () => {
  const refused = { status: 401, text: expect.stringContaining('"invalid_signature"') }

  it('is refused and leaves nothing behind', async () => {
    const wrong = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
    expect(await inbox.send(body, { headers: wrong })).toEqual(refused)
    expect(await inbox.listRows()).toEqual([])
    expect(await inbox.listJobs()).toEqual([])
  })

  it('is not even read when it claims no signature, or none can be right', async () => {
    let reads = 0
    const readBytes = () => {
      reads += 1
      return Promise.resolve(Buffer.from(body))
    }
    const knockBy = (headers: Record<string, string>, deps: Partial<AcceptDeps> = {}) =>
      acceptWebhook(
        { ...inbox.deps, ...deps },
        { provider: github, header: (name) => headers[name], readBytes },
      )
    await expect(knockBy({})).rejects.toMatchObject({ code: 'invalid_signature' })
    const secretsOf = () => []
    const signed = signWebhook(body)
    await expect(knockBy(signed, { secretsOf })).rejects.toMatchObject({
      code: 'invalid_signature',
    })
    expect(reads).toBe(0)
    await knockBy(signed)
    expect(reads).toBe(1)
  })

  it('is refused for its length, its encoding and its headers', async () => {
    const large = Buffer.alloc(25 * 1024 * 1024 + 1)
    expect((await inbox.send(large)).status).toBe(413)
    expect((await inbox.send(body, { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    expect((await inbox.send(body, { event: 'no event' })).status).toBe(400)
    expect(await inbox.listRows()).toEqual([])
  })
})

describe('a webhook of Slack', () => {
  const sendToChat = async (text: string) => {
    const sentAt = String(Math.floor(Date.now() / 1000))
    const hex = createHmac('sha256', secret).update(`v0:${sentAt}:${text}`).digest('hex')
    const headers = { 'x-slack-signature': `v0=${hex}`, 'x-slack-request-timestamp': sentAt }
    return inbox.app.request('/webhooks/chat', { method: 'POST', headers, body: text })
  }

  it('is told its own challenge, which is not stored', async () => {
    const answer = await sendToChat('{"type":"url_verification","challenge":"abc"}')
    expect([answer.status, await answer.text()]).toEqual([200, 'abc'])
    expect(await inbox.listRows()).toEqual([])
  })

  it('is stored and refused when it is no JSON', async () => {
    const answers = [await sendToChat('{"event_id":'), await sendToChat('{"event_id":')]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(await inbox.listRows()).toMatchObject([{ event: 'unknown', duplicates: 1 }])
  })

  it('is stored under the id of its event', async () => {
    const text = '{"event_id":"Ev1","team_id":"T1","event":{"type":"app_uninstalled"}}'
    expect((await sendToChat(text)).status).toBe(202)
    expect((await sendToChat(text)).status).toBe(202)
    expect(await inbox.listRows()).toMatchObject([{ delivery_id: 'Ev1', duplicates: 1 }])
  })
})

describe('a webhook at the address of a connection', () => {
  const connections: Record<string, string> = { int_A: 'secret of A', int_B: 'secret of B' }
  const findConnection: AcceptDeps['findConnection'] = (_provider, id) => {
    const own = connections[id]
    const ref = { orgId: 'org_1', integrationId: id, accountId: `account of ${id}` }
    return Promise.resolve(own === undefined ? undefined : { ...ref, secrets: [own] })
  }
  const knockAt = (connection: string, signedBy: string, deliveryId = 'd-1') => {
    const hex = createHmac('sha256', signedBy).update(body).digest('hex')
    const headers = signWebhook(body, {
      deliveryId,
      headers: { 'x-hub-signature-256': `sha256=${hex}` },
    })
    const deps = { ...inbox.deps, findConnection }
    const readBytes = () => Promise.resolve(Buffer.from(body))
    return acceptWebhook(deps, {
      provider: github,
      connection,
      header: (name) => headers[name],
      readBytes,
    })
  }

  it('is taken by its own secret, and by no other', async () => {
    await knockAt('int_A', 'secret of A')
    for (const [connection, by] of [
      ['int_A', 'secret of B'],
      ['int_A', secret],
      ['int_C', 'secret of A'],
    ] as const) {
      await expect(knockAt(connection, by)).rejects.toMatchObject({ code: 'invalid_signature' })
    }
    const rows = await inbox.test.asOwner('select account_id from received_webhooks')
    expect(rows).toEqual([{ account_id: 'account of int_A' }])
  })

  it('takes the id of no other connection away', async () => {
    const outcomes = [
      await knockAt('int_A', 'secret of A', 'same'),
      await knockAt('int_B', 'secret of B', 'same'),
      await knockAt('int_B', 'secret of B', 'same'),
    ]
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'known'])
  })

  it('has no address for a provider whose application signs for all', async () => {
    const answer = await inbox.app.request('/webhooks/github/int_A', { method: 'POST' })
    expect(answer.status).toBe(404)
  })
})

describe('a provider that wants another answer', () => {
  const takeAs = (text: string) => {
    const { scheme } = github.webhooks
    const webhooks = { ...github.webhooks, scheme: { ...scheme, storedStatus: 204 as const } }
    const asks = { type: 'challenge' as const, answer: '' }
    const asking = { ...webhooks, scheme: { ...webhooks.scheme, describe: () => asks } }
    const headers = signWebhook(text)
    return acceptWebhook(inbox.deps, {
      provider: { ...github, webhooks: text === 'ping' ? asking : webhooks } as WebhookProvider,
      header: (name) => headers[name],
      readBytes: () => Promise.resolve(Buffer.from(text)),
    })
  }

  it('gets it for what is stored, and for a challenge that wants no text', async () => {
    expect(await takeAs(body)).toEqual({ outcome: 'stored', status: 204, answer: '' })
    expect(await takeAs('ping')).toEqual({ outcome: 'challenge', status: 204, answer: '' })
  })
})

it('there is no intake for a provider that sends nothing', async () => {
  const answer = await inbox.app.request('/webhooks/jira', { method: 'POST' })
  expect(answer.status).toBe(404)
})

/** Transactions that have done everything but commit. */
const openSql = `select from pg_stat_activity where datname = current_database()
  and state = 'idle in transaction' and query ilike '%insert into pgboss%'`

function holdCommits(store: InboxApp['store'], until: Promise<void>): InboxApp['store']['intake'] {
  return (work) =>
    store.intake(async (tx) => {
      const result = await work(tx)
      await until
      return result
    })
}

/** Comes with a genuine webhook, past HTTP. */
function knock(deps: Partial<AcceptDeps>, deliveryId: string = crypto.randomUUID()) {
  const headers = signWebhook(body, { deliveryId })
  return acceptWebhook(
    { ...inbox.deps, ...deps },
    {
      provider: github,
      header: (name) => headers[name],
      readBytes: () => Promise.resolve(Buffer.from(body)),
    },
  )
}
