import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Forgets sign-ins at an OpenID provider that nobody finished. */
export const oidcAttemptRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-oidc-attempts',
      text: forgetSql('oidc_attempts', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Forgets devices that asked to be let in. For a day, one that comes too late reads that it is too late. */
export const deviceRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-device-authorizations',
      text: forgetSql('device_authorizations', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Forgets invitations that nobody accepted in time: a month later nobody looks for them. */
export const invitationRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-invitations',
      text: forgetSql('invitations', 'expires_at < $1'),
      values: [before, limit],
    }),
}
