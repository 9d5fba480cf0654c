/**
 * Names who did it, as it is stored with what they made: a key or a person that is deleted later keeps its name here.
 * Example: `{ type: 'user', id: 'usr_…', name: 'Ada' }`.
 */
export interface Author {
  readonly type: 'user' | 'api_key' | 'bootstrap' | 'system'
  readonly id: string | null
  readonly name: string
}

/**
 * Names what a request was authenticated with, as it is stored with what the request made: when it ends, what it made goes on. A
 * token keeps its name here.
 */
export interface Credential {
  readonly type: 'session' | 'personal_access_token' | 'agent_token' | 'bootstrap'
  readonly id: string | null
  /** `null`: it has none, such as a session. */
  readonly name: string | null
}

/** Names who made something, and with what. Without a credential: an API key, or the service itself. */
export interface Maker extends Author {
  readonly credential?: Credential
}

/** Lists the actions that are recorded, as `<noun>.<past tense>`. A name is never changed: filters and exports rely on it. */
export const auditActions = [
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'auth.confirmed',
  'auth.confirm_failed',
  'auth.oidc_linked',
  'auth.oidc_unlinked',
  'auth.device_approved',
  'auth.device_denied',
  'auth.second_factor_asked',
  'auth.password_changed',
  'auth.password_reset',
  'session.ended',
  'session.others_ended',
  'user.renamed',
  'second_factor.begun',
  'second_factor.enabled',
  'second_factor.disabled',
  'member.role_changed',
  'member.removed',
  'member.left',
  'member.joined',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.member_added',
  'group.member_removed',
  'grant.created',
  'grant.updated',
  'grant.deleted',
  'member.provisioned',
  'member.deprovisioned',
  'email_domain.added',
  'email_domain.verified',
  'email_domain.unverified',
  'email_domain.removed',
  'sign_in_provider.created',
  'sign_in_provider.updated',
  'sign_in_provider.removed',
  'scim_token.created',
  'scim_token.revoked',
  'invitation.created',
  'invitation.revoked',
  'token.created',
  'token.revoked',
  'agent_token.created',
  'agent_token.ended',
  'agent_token.reuse_detected',
  'org.created',
  'org.updated',
  'org.deleted',
  'org.destroyed',
  'policies.updated',
  'policies.sessions_ended',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.paused',
  'key.revoked',
  'environment.created',
  'environment.updated',
  'environment.approvers_replaced',
  'environment.deleted',
  'environment.frozen',
  'environment.unfrozen',
  'schema.created',
  'schema.changed',
  'schema.deleted',
  'segment.created',
  'segment.updated',
  'segment.deleted',
  'value.set',
  'value.deleted',
  'value.rolled_back',
  'value.promoted',
  'value.imported',
  'signal.created',
  'signal.updated',
  'signal.deleted',
  'signal.tested',
  'change.requested',
  'change.revised',
  'change.approved',
  'change.declined',
  'change.commented',
  'change.scheduled',
  'change.withdrawn',
  'change.expired',
  'change.conflicted',
  'change.failed',
  'change.applied',
  'change.overridden',
  'change.acknowledged',
  'change.proven',
  'change.restored',
  'change.proof_failed',
  'change.inconclusive',
  'proof.stopped',
  'plan.created',
  'plan.advanced',
  'plan.waiting',
  'plan.paused',
  'plan.resumed',
  'plan.returned',
  'plan.finished',
  'plan.stopped',
  'plan.restored',
  'release_template.created',
  'release_template.deleted',
  'gate.created',
  'gate.updated',
  'gate.deleted',
  'gate_decision.approved',
  'gate_decision.overridden',
  'gate_decision.refused',
  'preview_rule.created',
  'preview_rule.updated',
  'preview_rule.deleted',
  'secret.revealed',
  'secret.read_by_key',
  'root_key.rotation_started',
  'root_key.rotation_finished',
  'dek.rotated',
  'publisher_key.added',
  'publisher_key.retired',
  'publisher_key.epoch_begun',
  'notification_route.created',
  'notification_route.updated',
  'notification_route.deleted',
  'notification.seen',
  'notification.sent_again',
  'integration.started',
  'integration.connected',
  'integration.callback_refused',
  'integration.reauth_required',
  'integration.updated',
  'integration.disconnected',
  'integration.revoke_confirmed',
  'integration.revoke_failed',
  'provider_app.registered',
  'provider_app.changed',
  'provider_app.deleted',
  'provider_app.previous_secret_ended',
  'provider_app.callback_refused',
  'backup.created',
  'backup.restored',
  'webhook.replayed',
  'outgoing_webhook.created',
  'outgoing_webhook.updated',
  'outgoing_webhook.rotated',
  'outgoing_webhook.deleted',
  'outgoing_webhook.tested',
  'outgoing_webhook.replayed',
  'target.created',
  'target.updated',
  'target.paused',
  'target.resumed',
  'target.run_requested',
  'target.written',
  'target.deleted',
  'workflow.dispatched',
  'failed_job.retried',
  'audit.chain_verified',
  'audit.exported',
] as const

export type AuditAction = (typeof auditActions)[number]

/** Describes the target of an action. Example: `{ type: 'api_key', id: 'key_…', name: 'checkout' }`. */
export interface AuditTarget {
  readonly type: string
  readonly id: string | null
  readonly name: string | null
}

/** Describes the origin of a request; absent for what the service does by itself. */
export interface AuditRequest {
  readonly requestId: string
  /** IPv4 is kept whole, IPv6 as its /64, which is what one household has. */
  readonly ip: string
  readonly userAgent: string | undefined
  /** Absent: nobody was signed in, or it was an API key, which is the author itself. */
  readonly credential?: Credential | undefined
}

/** Describes an event to be recorded. */
export interface AuditEvent {
  /** The organization whose chain the event joins, or `serverChain`. */
  readonly orgId: string
  readonly actor: Author
  readonly action: AuditAction
  readonly target: AuditTarget
  /** Names of fields and version numbers. Never a value, and no hash of one: secrets may be short. */
  readonly detail?: Readonly<Record<string, unknown>>
  readonly request?: AuditRequest
}

/** Names the chain of events that belong to no organization: sign-in, set-up, keys of the server. */
export const serverChain = 'server'

/** Names the service itself as author, when no person or key caused the event. */
export const systemAuthor: Author = { type: 'system', id: null, name: 'Signalbox' }

const userAgentLength = 256

/** Control characters would break the lines that an event's hash covers. */
const controlCharacters = /[\p{Cc}\u2028\u2029]/gu

/** Returns a user agent as it is kept: one line, at most 256 characters. */
export function toKeptUserAgent(userAgent: string | undefined): string | null {
  return userAgent?.replaceAll(controlCharacters, ' ').slice(0, userAgentLength) ?? null
}
