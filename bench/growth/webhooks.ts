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

/**
 * Measures what it costs to keep the webhooks of 45 days for 30, in partitions of a week, and to store one more. The 45
 * days begin with this week, because the first partition ends there: the clock of the service is put forward.
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
  await client.query(webhooksSql, [webhooks, daysBegin, begins])
  await client.query(
    `insert into received_webhook_ids select provider, delivery_id, id, received_at from received_webhooks`,
  )
  for (const table of ['received_webhooks', 'received_webhook_ids'])
    await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
  console.error(`${webhooks} webhooks are stored`)
  return {
    webhooks,
    ...(await measureStoring(client, now)),
    ...(await measureDrops(client, now)),
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
  const ids = await forget(client, webhookRetention.slice(1), now)
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

/** Runs the statements of rules as `retention/` does, each batch in a transaction of its own. */
function forget(client: pg.Client, rules: readonly RetentionRule[], now: Date): Promise<Cost> {
  const tx = toTx(client)
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

/** Stores, claims and settles webhooks, and returns the medians in milliseconds. */
async function measureStoring(client: pg.Client, now: Date) {
  const tx = toTx(client)
  const times: Record<string, number[]> = {}
  const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now()
    await work()
    const list = (times[name] ??= [])
    list.push(performance.now() - begun)
  }
  for (let turn = 0; turn < rounds.batches; turn += 1) {
    const deliveries = Array.from({ length: storedTogether }, () => newDelivery(now))
    await timed('partedBatchMs', () => insertDeliveries(tx, deliveries))
  }
  for (let turn = 0; turn < rounds.single; turn += 1) {
    const delivery = newDelivery(now)
    const { id } = delivery
    await timed('partedStoreMs', () => insertDeliveries(tx, [delivery]))
    await timed('partedClaimMs', () => claimDelivery(tx, id))
    const outcome = { id, orgId: 'org_1', state: 'done', reason: null, processedAt: now } as const
    await timed('partedSettleMs', () => settleDelivery(tx, outcome))
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, Number(percentile(list, 0.5).toFixed(2))]),
  )
}
