import type { Tx } from '../../store/store.ts'

/** Locks the runs of a repository: naming a run, and storing an event of one that has no name yet, run one after the other. */
export async function lockRunNames(tx: Tx, orgId: string, repositoryId: string): Promise<void> {
  await tx.query({
    name: 'lock-test-run-names',
    text: `select pg_advisory_xact_lock(hashtextextended('test run names ' || $1 || ' ' || $2, 0))`,
    values: [orgId, repositoryId],
  })
}

/** Stores the last event of a run that may become ours. */
export async function keepRunEvent(
  tx: Tx,
  orgId: string,
  event: {
    readonly repositoryId: string
    readonly externalId: string
    readonly run: object
    readonly receivedAt: Date
  },
): Promise<void> {
  await tx.query({
    name: 'keep-test-run-event',
    text: `insert into test_run_events (org_id, repository_id, external_id, run, received_at) values ($1, $2, $3, $4, $5)
      on conflict (org_id, repository_id, external_id) do update set run = excluded.run
      where (excluded.run ->> 'attempt')::int > (test_run_events.run ->> 'attempt')::int
        or ((excluded.run ->> 'attempt')::int = (test_run_events.run ->> 'attempt')::int
          and test_run_events.run ->> 'state' in ('queued', 'running', 'unknown'))`,
    values: [
      orgId,
      event.repositoryId,
      event.externalId,
      JSON.stringify(event.run),
      event.receivedAt,
    ],
  })
}

/** Deletes and returns what was stored of a run. */
export async function takeRunEvent(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly externalId: string },
): Promise<unknown> {
  const [row] = await tx.query<{ readonly run: unknown }>({
    name: 'take-test-run-event',
    text: `delete from test_run_events where org_id = $1 and repository_id = $2 and external_id = $3 returning run`,
    values: [orgId, of.repositoryId, of.externalId],
  })
  return row?.run
}

/** Deletes what was stored of runs that did not become ours. For maintenance. */
export async function purgeRunEvents(tx: Tx, before: Date): Promise<void> {
  await tx.query({
    name: 'purge-test-run-events',
    text: 'delete from test_run_events where received_at < $1',
    values: [before],
  })
}
