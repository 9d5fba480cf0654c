/**
 * Returns the order of a deployment's test runs `alias` in which the first is the one to show of them: one that failed and that
 * no newer run of the same name has replaced, and else the newest. So a second workflow that passes later hides no failure.
 */
export function failingFirst(alias: string): string {
  return `(${alias}.state in ('failed', 'errored', 'timed_out') and not exists (
      select from test_runs newer where newer.org_id = ${alias}.org_id and newer.deployment_id = ${alias}.deployment_id
        and newer.name = ${alias}.name and (newer.created_at, newer.id) > (${alias}.created_at, ${alias}.id))) desc,
    ${alias}.created_at desc, ${alias}.id desc`
}
