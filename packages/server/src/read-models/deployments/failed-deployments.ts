/** Lists the states of a deployment that failed and did not go live. */
export const failedStates = `('failure', 'error')`

/**
 * Returns the SQL of the deployments that a hotfix of production replaced after the moment `since`, from the index
 * `deployments_hotfix`. Elsewhere different branches take turns, and a commit that branched off earlier remedies nothing.
 */
export function hotfixedSince(since: string): string {
  return `select h.previous_successful_id from deployments h
    join environments he on he.org_id = $1 and he.id = h.environment_id and he.production
    where h.org_id = $1 and h.relation = 'hotfix' and h.succeeded_at is not null and h.succeeded_at >= ${since}
      and h.previous_successful_id is not null`
}

/**
 * Returns the SQL of the moment at which a deployment failed that did not go live. Not `coalesce`: row-level security keeps an index
 * on that from being used.
 */
export function failedAt(deployment: string): string {
  return `case when ${deployment}.finished_at is null then ${deployment}.created_at else ${deployment}.finished_at end`
}

/** Returns the condition for a deployment `d` that went live in a period, whatever became of it. */
export function wentLive(from: string, to: string): string {
  return `d.succeeded_at >= ${from} and d.succeeded_at < ${to}`
}

/**
 * Returns the condition for a deployment `d` that failed in a period, as the delivery figures count it: its last state says so, or
 * the next one in its place is a rollback or, in production, a hotfix.
 */
export function hasFailed(from: string, to: string): string {
  return `((${wentLive(from, to)} and (d.state = 'rolled_back' or d.id in (${hotfixedSince(from)})))
    or (d.state in ${failedStates} and ${failedAt('d')} >= ${from} and ${failedAt('d')} < ${to}))`
}
