import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'
import { runsNow } from './check-rows.ts'

/** Deletes checks after ninety days, unless their commit runs. */
export const checkRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-commit-checks',
      text: forgetSql(
        'commit_checks',
        `uploaded_at < $1 and not exists (select from deployments d where d.org_id = commit_checks.org_id
          and d.repository_id = commit_checks.repository_id and d.sha = commit_checks.sha and ${runsNow})`,
      ),
      values: [before, limit],
    }),
}

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
