import type { Tx } from '../../store/store.ts'

/** Describes a target whose last run failed, or left names alone that are not its own. */
export interface FailingTarget {
  readonly id: string
  readonly name: string
  /** Says what happened, in one sentence. */
  readonly detail: string
  /** Says what to do next, in one sentence. */
  readonly step: string
  readonly failingSince: Date
}

/** Lists targets that fail and that nobody has paused, the newest failure first. */
export async function listFailingTargets(tx: Tx, orgId: string): Promise<FailingTarget[]> {
  return tx.query<FailingTarget>({
    name: 'list-failing-targets',
    text: `select id, name, coalesce(health_detail, '') as detail, coalesce(health_step, '') as step,
        failing_since as "failingSince" from targets
      where org_id = $1 and failing_since is not null and (state <> 'paused' or health_reason = 'maker_left')
      order by failing_since desc limit 10`,
    values: [orgId],
  })
}
