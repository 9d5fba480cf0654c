import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Deletes checks after ninety days, unless their commit runs. */
export const checkRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-commit-checks',
      text: forgetSql('commit_checks', 'uploaded_at < $1 and not is_live'),
      values: [before, limit],
    }),
}
