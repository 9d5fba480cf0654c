import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { leastId, newId } from '../../packages/server/src/crypto/ids.ts'
import { beginOfWeek, webhookPartitions } from '../../packages/server/src/inbox/partitions.ts'
import { webhookRetention } from '../../packages/server/src/inbox/retention.ts'
import {
  claimDelivery,
  insertDeliveries,
  settleDelivery,
  type NewDelivery,
} from '../../packages/server/src/inbox/rows.ts'
import { keepPartitions } from '../../packages/server/src/store/partitions.ts'
import type { RetentionRule } from '../../packages/server/src/store/retention-rule.ts'
import type { Tx } from '../../packages/server/src/store/store.ts'
import { percentile } from '../record.ts'
import { cost, sizeOf, toTx, type Cost } from './cost.ts'
import { webhooksSql } from './fill-sql.ts'

const batch = 1_000
const days = 45
const dayMs = 86_400_000
const bodyBytes = 2_000
const storedTogether = 200
const rounds = { batches: 60, single: 400 }

/** The table of webhooks as it was: one without partitions, with its own unique key. */
const plainSql = `create table plain_webhooks (like received_webhooks including all);
  alter table plain_webhooks add unique (provider, delivery_id)`

/** Stored webhooks in it, with the parameters of today's statement. */
const plainInsertSql = `insert into plain_webhooks (id, provider, delivery_id, event, action, account_id, repository_id, headers,
    body, origin, duplicates, received_at)
  select id, provider, delivery_id, event, action, account_id, repository_id, headers::json,
    substring($1::bytea from body_at for body_size), origin, duplicates, received_at
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::int[], $11::int[], $12::text[], $13::int[], $14::timestamptz[])
  as g (id, provider, delivery_id, event, action, account_id, repository_id, headers, body_at, body_size, origin,
    duplicates, received_at)
  on conflict (provider, delivery_id) do nothing returning id`

const toPlain = (text: string) =>
  text.includes('insert into received_webhooks')
    ? plainInsertSql
    : text.replaceAll(/received_webhooks_default|received_webhooks/g, 'plain_webhooks')

/**
 * Measures what it costs to keep the webhooks of 45 days for 30, and to store one more, in one table as it was before and in
 * partitions. The 45 days begin with this week, because the first partition ends there: the clock of the service is put forward.
 */
export async function measureWebhooks(
  client: pg.Client,
  webhooks: number,
): Promise<Readonly<Record<string, number>>> {
  const begins = beginOfWeek(new Date())
  const now = new Date(begins.getTime() + days * dayMs)
  const daysBegin = Array.from({ length: days }, (_, day) =>
    leastId('dlv', new Date(begins.getTime() + day * dayMs)),
  )
  await client.query(plainSql)
  for (const sql of [webhooksSql('plain_webhooks'), webhooksSql('received_webhooks')])
    await client.query(sql, [webhooks, daysBegin, begins])
  await client.query(
    `insert into received_webhook_ids select provider, delivery_id, id, received_at from received_webhooks`,
  )
  for (const table of ['plain_webhooks', 'received_webhooks', 'received_webhook_ids'])
    await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
  return {
    webhooks,
    ...(await measureStoring(client, now)),
    ...(await measureRows(client, now)),
    ...(await measureDrops(client, now)),
  }
}

/** Deletes by rows, as releases before partitions did. */
async function measureRows(client: pg.Client, now: Date) {
  const sizeMiB = await sizeOf(client, 'plain_webhooks')
  const deleted = await forget(client, webhookRetention.slice(0, 1), now)
  const sizeAfterMiB = await sizeOf(client, 'plain_webhooks')
  const vacuum = await vacuumOf(client, 'plain_webhooks')
  return {
    sizeMiB,
    deleted: deleted.rows,
    deletedMs: deleted.tookMs,
    walMiB: deleted.walMiB,
    sizeAfterMiB,
    vacuumMs: vacuum.tookMs,
    vacuumWalMiB: vacuum.walMiB,
    sizeAfterVacuumMiB: await sizeOf(client, 'plain_webhooks'),
  }
}

/** Drops the weeks that are over, and deletes their ids by rows. */
async function measureDrops(client: pg.Client, now: Date) {
  const count = async () => {
    const { rows } = await client.query<{ all: string }>(
      'select count(*) as all from received_webhooks',
    )
    return Number(rows[0]?.all)
  }
  const before = await count()
  const partedMiB = await sizeOf(client, 'received_webhooks')
  const idsMiB = await sizeOf(client, 'received_webhook_ids')
  const store = { maintenance: <T>(work: (tx: Tx) => Promise<T>) => work(toTx(client)) }
  const drops = await cost(client, async () => {
    for (let dropped = 0; ; dropped += 1)
      if ((await keepPartitions(store, webhookPartitions(now, now))).dropped === undefined)
        return dropped
  })
  const ids = await forget(client, webhookRetention.slice(2), now)
  const vacuum = await vacuumOf(client, 'received_webhook_ids')
  return {
    partedMiB,
    partitionsDropped: drops.rows,
    dropped: before - (await count()),
    dropMs: drops.tookMs,
    dropWalMiB: drops.walMiB,
    partedAfterMiB: await sizeOf(client, 'received_webhooks'),
    idsMiB,
    deletedIds: ids.rows,
    idsMs: ids.tookMs,
    idsWalMiB: ids.walMiB,
    idsVacuumMs: vacuum.tookMs,
    idsVacuumWalMiB: vacuum.walMiB,
  }
}

/** Runs the statements of rules as `retention/` does, each batch in a transaction of its own. Webhooks are those of the plain table. */
function forget(client: pg.Client, rules: readonly RetentionRule[], now: Date): Promise<Cost> {
  const tx = toTx(client, toPlain)
  return cost(client, async () => {
    let all = 0
    for (const { keptMs, forget: forgetBatch } of rules) {
      const before = new Date(now.getTime() - keptMs)
      let removed = batch
      while (removed === batch) {
        removed = (await forgetBatch(tx, before, batch)).length
        all += removed
      }
    }
    return all
  })
}

function vacuumOf(client: pg.Client, table: string): Promise<Cost> {
  return cost(client, async () => {
    await client.query(`vacuum ${table}`)
    return 0
  })
}

function newDelivery(receivedAt: Date): NewDelivery {
  return {
    id: newId('dlv', receivedAt),
    provider: 'github',
    deliveryId: crypto.randomUUID(),
    event: 'push',
    action: null,
    accountId: '7',
    repositoryId: '9',
    headers: { 'content-type': 'application/json' },
    origin: 'push',
    duplicates: 0,
    receivedAt,
    body: randomBytes(bodyBytes),
  }
}

/** Stores, claims and settles webhooks in both tables, taking turns, and returns the medians in milliseconds. */
async function measureStoring(client: pg.Client, now: Date) {
  const kinds = [
    ['plain', toTx(client, toPlain)],
    ['parted', toTx(client)],
  ] as const
  const times: Record<string, number[]> = {}
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const result = await work()
    const list = (times[name] ??= [])
    list.push(performance.now() - begun)
    return result
  }
  for (let turn = 0; turn < rounds.batches; turn += 1) {
    for (const [kind, tx] of kinds) {
      const deliveries = Array.from({ length: storedTogether }, () => newDelivery(now))
      await timed(`${kind}BatchMs`, () => insertDeliveries(tx, deliveries))
    }
  }
  for (let turn = 0; turn < rounds.single; turn += 1) {
    for (const [kind, tx] of kinds) {
      const delivery = newDelivery(now)
      const { id } = delivery
      await timed(`${kind}StoreMs`, () => insertDeliveries(tx, [delivery]))
      await timed(`${kind}ClaimMs`, () => claimDelivery(tx, id))
      const outcome = { id, orgId: 'org_1', state: 'done', reason: null, processedAt: now } as const
      await timed(`${kind}SettleMs`, () => settleDelivery(tx, outcome))
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, Number(percentile(list, 0.5).toFixed(2))]),
  )
}
