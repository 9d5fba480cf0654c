import type { Tx } from '../../store/store.ts'
import type { ReportShard } from '../reports/report-rows.ts'

/** Names a report of an organization. */
export interface OldReport extends ReportShard {
  readonly orgId: string
}

/** Locks the oldest reports of every organization from before a moment whose results are stored. One in use is left out. */
export async function lockOldReports(
  tx: Pick<Tx, 'query'>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<OldReport[]> {
  return tx.query<OldReport>({
    name: 'lock-old-test-reports',
    text: `select org_id as "orgId", run_id as "runId", attempt, shard from test_reports
      where received_at < $1 and results_deleted_at is null
      order by received_at limit $2 for update skip locked`,
    values: [before, limit],
  })
}

/** Deletes at most `limit` results of reports, and returns how many. */
export async function deleteResultsOfReports(
  tx: Pick<Tx, 'query'>,
  reports: readonly OldReport[],
  limit: number,
): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>({
    name: 'delete-results-of-old-reports',
    text: `with gone as (delete from test_results where ctid = any (array(
          select r.ctid from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as o (org_id, run_id, attempt, shard)
            join test_results r on r.org_id = o.org_id and r.run_id = o.run_id and r.attempt = o.attempt
              and r.shard = o.shard limit $5)) returning 1)
      select count(*)::integer as count from gone`,
    values: [...columnsOf(reports), limit],
  })
  return row?.count ?? 0
}

/** Records that the results of reports are deleted. The reports stay: their sums are those of the run. */
export async function markResultsDeleted(
  tx: Pick<Tx, 'query'>,
  reports: readonly OldReport[],
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'mark-test-results-deleted',
    text: `update test_reports t set results_deleted_at = $5
      from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as o (org_id, run_id, attempt, shard)
      where t.org_id = o.org_id and t.run_id = o.run_id and t.attempt = o.attempt and t.shard = o.shard`,
    values: [...columnsOf(reports), now],
  })
}

function columnsOf(reports: readonly OldReport[]) {
  return [
    reports.map(({ orgId }) => orgId),
    reports.map(({ runId }) => runId),
    reports.map(({ attempt }) => attempt),
    reports.map(({ shard }) => shard),
  ]
}
