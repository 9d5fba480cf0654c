import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Forgets previews that were deleted. Until then a deployment of before makes none of them again. */
export const previewRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-previews',
      text: forgetSql('previews', `state = 'deleted' and ended_at < $1`),
      values: [before, limit],
    }),
}
