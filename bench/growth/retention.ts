import type pg from 'pg'
import { webhookDeliveryRetention } from '../../packages/server/src/inbox/retention.ts'
import { forgetOld } from '../../packages/server/src/retention/forget-old.ts'
import type { Tx } from '../../packages/server/src/store/store.ts'
import { testResultsSql, webhooksSql, withoutTriggers } from './fill-sql.ts'

const batch = 1_000
const resultsOfRun = 100
/** Of the deployments, which are a minute apart, the older part is deleted. */
const youngPart = 0.6
const mebibyte = 2 ** 20

/** Holds what it costs to delete old rows a thousand at a time, and what dropping the same rows as a partition costs. */
export type RetentionCost = Readonly<Record<string, number>>

/**
 * Measures the retention of so many webhooks, a third of them too old, and of the deployments that are there, on a connection of the
 * superuser.
 */
export async function measureRetention(
  client: pg.Client,
  { webhooks, deployments }: { readonly webhooks: number; readonly deployments: number },
): Promise<RetentionCost> {
  await client.query(withoutTriggers)
  await client.query(webhooksSql, [webhooks])
  for (const sql of testResultsSql) await client.query(sql, [resultsOfRun])
  await client.query('vacuum analyze test_reports')
  await client.query('vacuum analyze test_results')
  await client.query('vacuum analyze webhook_deliveries')
  const before = await sizeOf(client, 'webhook_deliveries')
  const partition = await measurePartition(client)
  await client.query('set session_replication_role = origin')
  const deleted = await cost(client, () => forgetWebhooks(client))
  const bloated = await sizeOf(client, 'webhook_deliveries')
  const vacuumed = await cost(client, async () => {
    await client.query('vacuum webhook_deliveries')
    return 0
  })
  const keptMs = deployments * youngPart * 60_000
  const results = await forgetBy(client, 'test_results', { testResultsMs: keptMs })
  const old = await forgetBy(client, 'deployments', { deploymentsMs: keptMs })
  return {
    webhooks,
    sizeMiB: before,
    deleted: deleted.rows,
    deletedMs: deleted.tookMs,
    walMiB: deleted.walMiB,
    sizeAfterMiB: bloated,
    vacuumMs: vacuumed.tookMs,
    vacuumWalMiB: vacuumed.walMiB,
    sizeAfterVacuumMiB: await sizeOf(client, 'webhook_deliveries'),
    partitionDropMs: partition.tookMs,
    partitionDropWalMiB: partition.walMiB,
    deletedResults: results.rows,
    resultsMs: results.tookMs,
    resultsWalMiB: results.walMiB,
    resultsLongestMs: results.longestMs,
    deletedDeployments: old.rows,
    deploymentsMs: old.tookMs,
    deploymentsWalMiB: old.walMiB,
    deploymentsLongestMs: old.longestMs,
  }
}

interface Cost {
  readonly rows: number
  readonly tookMs: number
  readonly walMiB: number
}

async function cost(client: pg.Client, work: () => Promise<number>): Promise<Cost> {
  const position = async () => {
    const { rows } = await client.query<{ at: string }>(
      `select pg_current_wal_insert_lsn() - '0/0' as at`,
    )
    return Number(rows[0]?.at)
  }
  const from = await position()
  const begun = performance.now()
  const rows = await work()
  const tookMs = Math.round(performance.now() - begun)
  return { rows, tookMs, walMiB: Math.round(((await position()) - from) / mebibyte) }
}

async function sizeOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_total_relation_size($1) as bytes',
    [table],
  )
  return Math.round(Number(rows[0]?.bytes) / mebibyte)
}

/** Runs the statement of the rule as `retention/` does, each batch in a transaction of its own. */
async function forgetWebhooks(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ before: Date }>(
    `select now() - $1::float8 * interval '1 ms' as before`,
    [webhookDeliveryRetention.keptMs],
  )
  const before = rows[0]?.before ?? new Date()
  let all = 0
  for (;;) {
    const removed = await forgetBatch(client, before)
    all += removed
    if (removed < batch) return all
  }
}

async function forgetBatch(client: pg.Client, before: Date): Promise<number> {
  return (await webhookDeliveryRetention.forget(toTx(client), before, batch)).length
}

function toTx(client: pg.Client): Tx {
  const only = () => {
    throw new Error('Retention only queries')
  }
  return {
    query: async <Row extends object>(statement: {
      readonly text: string
      readonly values: readonly unknown[]
    }) => (await client.query<Row>(statement.text, [...statement.values])).rows,
    send: only,
    atCommit: only,
    announce: only,
  }
}

/** Deletes what is older than a setting says, as the job of `retention/` does, and finds the longest transaction. */
async function forgetBy(
  client: pg.Client,
  table: 'deployments' | 'test_results',
  keptFor: { readonly deploymentsMs?: number; readonly testResultsMs?: number },
): Promise<Cost & { readonly longestMs: number }> {
  let longestMs = 0
  const store = {
    maintenance: async <T>(work: (tx: Tx) => Promise<T>) => {
      const begun = performance.now()
      await client.query('begin')
      const result = await work(toTx(client))
      await client.query('commit')
      longestMs = Math.max(longestMs, Math.round(performance.now() - begun))
      return result
    },
  }
  const now = new Date()
  const { signal } = new AbortController()
  const settings = { deploymentsMs: undefined, testResultsMs: undefined, ...keptFor }
  const count = async () => {
    const { rows } = await client.query<{ all: string }>(`select count(*) as all from ${table}`)
    return Number(rows[0]?.all)
  }
  const before = await count()
  const spent = await cost(client, async () => {
    while (!(await forgetOld({ store, keptFor: settings, now: () => now }, signal)));
    return 0
  })
  return { ...spent, rows: before - (await count()), longestMs }
}

/** Drops the same rows as the partition of a table without keys beside its id, which is what a partition would save. */
async function measurePartition(client: pg.Client): Promise<Cost> {
  await client.query(
    `create table parted (like webhook_deliveries) partition by range (received_at)`,
  )
  await client.query(
    `create table parted_old partition of parted for values from (minvalue) to (now() - interval '30 days')`,
  )
  await client.query(
    `insert into parted_old select * from webhook_deliveries where received_at < now() - interval '30 days'`,
  )
  const dropped = await cost(client, async () => {
    await client.query('drop table parted_old')
    return 0
  })
  await client.query('drop table parted')
  return dropped
}
