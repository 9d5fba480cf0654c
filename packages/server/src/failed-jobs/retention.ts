import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Deletes failed jobs 30 days after they failed last, whether anybody ran them again or not. */
export const failedJobRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-failed-jobs',
      text: forgetSql('failed_jobs', 'failed_at < $1'),
      values: [before, limit],
    }),
}
