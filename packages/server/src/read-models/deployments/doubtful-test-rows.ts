import type { Tx } from '../../store/store.ts'

/** Describes a test of a run that failed, or that passed after it had failed. */
export interface DoubtfulTestRow {
  readonly runId: string
  readonly suite: string
  readonly name: string
  readonly state: 'failed' | 'flaky'
  readonly message: string | null
}

const shownMax = 20

/**
 * Lists the tests of runs that are in doubt, the failed ones first. The newest attempt at a test says whether it failed, and
 * any attempt what went wrong.
 */
export async function listDoubtfulTests(
  tx: Tx,
  orgId: string,
  runIds: readonly string[],
): Promise<DoubtfulTestRow[]> {
  return tx.query({
    name: 'list-doubtful-tests',
    text: `select "runId", suite, name, state, message from (
        select doubtful.*, row_number() over (partition by "runId" order by state, suite, name) as position from (
          select t.run_id as "runId", t.suite, t.name,
            case (array_agg(t.status order by t.attempt desc, t.status))[1] when 'failed' then 'failed' else 'flaky' end as state,
            (array_agg(t.message order by t.attempt desc) filter (where t.message is not null))[1] as message
          from test_results t where t.org_id = $1 and t.run_id = any ($2)
          group by t.run_id, t.suite, t.name
          having bool_or(t.flaky) or bool_or(t.status = 'failed')) doubtful) placed
      where position <= ${shownMax} order by "runId", position`,
    values: [orgId, runIds],
  })
}
