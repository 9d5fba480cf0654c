import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Forgets jobs that failed for good. */
export const deadJobRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-dead-jobs',
      text: forgetSql('dead_jobs', 'failed_at < $1'),
      values: [before, limit],
    }),
}
