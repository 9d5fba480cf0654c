import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'

/** Deletes sign-ins at an OpenID provider that were not finished. */
export const oidcAttemptRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-oidc-attempts',
      text: forgetSql('oidc_attempts', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Deletes requests of devices a day after their end. Until then a device that comes too late is told so. */
export const deviceRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-device-authorizations',
      text: forgetSql('device_authorizations', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Deletes codes of assistants a day after their end. Until then a second use of one is noticed. */
export const agentCodeRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-agent-codes',
      text: forgetSql('agent_codes', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Deletes access tokens of assistants, and refresh tokens at the end of their agent token. */
export const agentSecretRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-agent-secrets',
      text: forgetSql('agent_token_secrets', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/**
 * Deletes secrets of API keys a month after their end, except the newest of each key, which names it in lists. Nodes have learned of the
 * end by the changed row, and forget the secret when they read everything anew.
 */
export const apiKeySecretRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-api-key-secrets',
      text: forgetSql(
        'api_key_secrets s',
        `expires_at < $1 and exists (select from api_key_secrets n where n.org_id = s.org_id and n.key_id = s.key_id
          and (n.expires_at is null or n.created_at > s.created_at))`,
      ),
      values: [before, limit],
    }),
}

/** Deletes invitations a month after their end. */
export const invitationRetention: RetentionRule = {
  keptMs: 30 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-invitations',
      text: forgetSql('invitations', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Deletes logout tokens a day after their end: a copy of one is refused for its age by then. */
export const logoutTokenRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-logout-tokens',
      text: forgetSql('used_logout_tokens', 'expires_at < $1'),
      values: [before, limit],
    }),
}

/** Deletes the counts of the secrets that keys have read after 90 days. */
export const secretReadRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-secret-reads',
      text: forgetSql('api_key_secret_reads', 'day < $1::timestamptz::date'),
      values: [before, limit],
    }),
}
