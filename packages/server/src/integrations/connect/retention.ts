import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'

/** Deletes unfinished authorizations after a day. Until then a person who comes back too late is told so. */
export const oauthStateRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-oauth-states',
      text: forgetSql('oauth_states', 'expires_at < $1'),
      values: [before, limit],
    }),
}
