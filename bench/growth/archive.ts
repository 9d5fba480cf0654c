import type pg from 'pg'
import { findArchivedPage } from '../../packages/server/src/read-models/deployments/archived-page.ts'
import {
  listArchivedChanges,
  type ListArchivedRows,
} from '../../packages/server/src/read-models/overview/archived-change-rows.ts'
import { percentile } from '../record.ts'
import type { Tx } from '../../packages/server/src/store/store.ts'
import { cost, sizeOf, toTx, type Cost } from './cost.ts'
import { forgetBy } from './retention.ts'

const dayMs = 86_400_000
const months = 24
const rounds = 60

/** Holds what the archive costs, by name. */
export type ArchiveCost = Readonly<Record<string, number>>

/** Deletes so many of the oldest deployments, a minute apart, first without and then with the archive. */
export async function measureArchiving(
  client: pg.Client,
  { deployments, part }: { readonly deployments: number; readonly part: number },
): Promise<ArchiveCost> {
  let before = 0
  for (const table of belongings) before += await sizeOf(client, table)
  await client.query('set session_replication_role = origin')
  const deleted = await forgetBy(client, 'deployments', {
    deploymentsMs: (deployments - part) * 60_000,
  })
  const archived = await forgetBy(client, 'deployments', {
    deploymentsMs: (deployments - 2 * part) * 60_000,
    archiveMs: 730 * dayMs,
  })
  const perThousand = (mebibytes: number, of: number) =>
    Math.round(((mebibytes * 1024) / of) * 1000)
  return {
    ...nameAll('deleted', deleted),
    ...nameAll('archived', archived),
    tablesKiBPerThousand: perThousand(before, deployments),
    archiveKiBPerThousand: perThousand(await sizeOf(client, 'archive'), archived.rows),
  }
}

function nameAll(name: string, of: Cost & { readonly longestMs: number }): ArchiveCost {
  const { rows, tookMs, walMiB, longestMs } = of
  return {
    [name]: rows,
    [`${name}Ms`]: tookMs,
    [`${name}WalMiB`]: walMiB,
    [`${name}LongestMs`]: longestMs,
  }
}

/** Fills the archive of another organization with so many rows, and measures pages of it, each planned anew. */
export async function measurePages(client: pg.Client, rows: number): Promise<ArchiveCost> {
  for (let month = 0; month < months; month += 1)
    await client.query(
      `select add_partition('archive', 'archive_' || to_char(of, 'YYYYMMDD'), of::date::text, (of + interval '1 month')::date::text)
        from (select date_trunc('month', now()) - $1::int * interval '1 month' as of) month`,
      [month],
    )
  await client.query(fillSql, [rows, months])
  await client.query('vacuum analyze archive')
  const filters: Readonly<Record<string, Partial<ListArchivedRows>>> = {
    page: {},
    environmentPage: { environmentId: 'env_2' },
    repositoryPage: { repositoryIds: ['repo_2'] },
    authorPage: { author: 'ada' },
    keyPage: { key: 'nobody' },
    searchedPage: { text: 'nothing' },
  }
  const found: Record<string, number> = {}
  await client.query(`set app.org_id = 'org_2'; set role signalbox_app`)
  for (const [name, of] of Object.entries(filters)) {
    const times = await time((round) =>
      listArchivedChanges(planned(client), 'org_2', {
        after: { micros: (Date.now() - round * 10 * dayMs) * 1000, id: '' },
        limit: 51,
        kinds: undefined,
        isFolded: true,
        ...of,
      }),
    )
    found[`${name}P50Ms`] = percentile(times, 0.5)
    found[`${name}P95Ms`] = percentile(times, 0.95)
  }
  const times = await time((round) =>
    findArchivedPage(planned(client), 'org_2', `dep_${round * 997}`),
  )
  found['deploymentP50Ms'] = percentile(times, 0.5)
  await client.query('reset role')
  return { ...found, archivedRows: rows, ...(await measureDrop(client)) }
}

const fillSql = `insert into archive (org_id, at, kind, id, environment_id, repository_id, host_environment, author_name, changed_keys, is_flip,
    texts, change, page, archived_at)
  select 'org_2', now() - n * ($2::int - 1) * interval '30 days' / $1::int, case when n % 4 = 0 then 'version' else 'deployment' end, 'dep_' || n,
    'env_' || n % 4, case when n % 4 > 0 then 'repo_' || n % 20 end, 'live', 'person ' || n % 50, case when n % 4 = 0 then '{theme}'::text[] end,
    case when n % 4 = 0 then false end, 'change number ' || n, s.change, case when n % 4 > 0 then s.page end, now()
  from generate_series(1, $1::int) n, (select change, page from archive where kind = 'deployment' limit 1) s`

async function measureDrop(client: pg.Client): Promise<ArchiveCost> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select c.relname as name, c.reltuples::int as count from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where i.inhparent = 'archive'::regclass and c.relname <> 'archive_default' order by c.relname offset 3 limit 1`,
  )
  const [month] = rows
  if (month === undefined) return {}
  const dropped = await cost(client, async () => {
    await client.query(`select drop_partition('archive', $1, now()::text)`, [month.name])
    return month.count
  })
  return { droppedRows: dropped.rows, dropMs: dropped.tookMs, dropWalMiB: dropped.walMiB }
}

/** Runs statements without their names, so that PostgreSQL plans each. */
function planned(client: pg.Client): Pick<Tx, 'query'> {
  const tx = toTx(client)
  return { query: (statement) => tx.query({ ...statement, name: '' }) }
}

async function time(work: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now()
    await work(round)
    times.push(Number((performance.now() - begun).toFixed(2)))
  }
  return times
}

const belongings = [
  'deployments',
  'deployment_commits',
  'deployment_issues',
  'deployment_statuses',
  'test_runs',
]
