import type pg from 'pg'
import { forgetOld, type ForgetOldDeps } from '../../packages/server/src/retention/forget-old.ts'
import type { Tx } from '../../packages/server/src/store/store.ts'
import { cost, toTx, type Cost } from './cost.ts'
import { testResultsSql, withoutTriggers } from './fill-sql.ts'
import { measureWebhooks } from './webhooks.ts'

const resultsOfRun = 100
/** Of the deployments, which are a minute apart, the older part is deleted. */
const youngPart = 0.6

/** Holds what it costs to delete old rows a thousand at a time, and to drop weeks of webhooks as partitions. */
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
  const measured = await measureWebhooks(client, webhooks)
  for (const sql of testResultsSql) await client.query(sql, [resultsOfRun])
  await client.query('vacuum analyze test_reports')
  await client.query('vacuum analyze test_results')
  await client.query('set session_replication_role = origin')
  const keptMs = deployments * youngPart * 60_000
  const results = await forgetBy(client, 'test_results', { testResultsMs: keptMs })
  const old = await forgetBy(client, 'deployments', { deploymentsMs: keptMs })
  return {
    ...measured,
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

/** Deletes what is older than a setting says, as the job of `retention/` does, and finds the longest transaction. */
async function forgetBy(
  client: pg.Client,
  table: 'deployments' | 'test_results',
  keptFor: ForgetOldDeps['keptFor'],
): Promise<Cost & { readonly longestMs: number }> {
  let longestMs = 0
  const store = {
    maintenance: async <T>(work: (tx: Tx) => Promise<T>) => {
      const begun = performance.now()
      await client.query('begin')
      const result = await work(toTx(client)).catch(async (error: unknown) => {
        await client.query('rollback')
        throw error
      })
      await client.query('commit')
      longestMs = Math.max(longestMs, Math.round(performance.now() - begun))
      return result
    },
  }
  const now = new Date()
  const { signal } = new AbortController()
  const count = async () => {
    const { rows } = await client.query<{ all: string }>(`select count(*) as all from ${table}`)
    return Number(rows[0]?.all)
  }
  const before = await count()
  const spent = await cost(client, async () => {
    while (!(await forgetOld({ store, keptFor, now: () => now, at: now }, signal)));
    return 0
  })
  return { ...spent, rows: before - (await count()), longestMs }
}
