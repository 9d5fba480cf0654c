import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'

/** Forgets authorizations that nobody finished. For a day, who comes back too late reads that it is too late. */
export const oauthStateRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-oauth-states',
      text: forgetSql('oauth_states', 'expires_at < $1'),
      values: [before, limit],
    }),
}
