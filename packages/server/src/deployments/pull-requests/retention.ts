import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'

/** Deletes pull requests that have not changed for ninety days, open ones after a year. */
export const pullRequestRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-pull-requests',
      text: forgetSql(
        'pull_requests',
        `host_updated_at < $1 and (state <> 'open' or host_updated_at < $1 - interval '275 days')`,
      ),
      values: [before, limit],
    }),
}
