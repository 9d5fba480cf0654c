import type { ItemOf } from '../../api/routes.ts'

/** Describes an event of the audit log. */
export type AuditEvent = ItemOf<'GET /organizations/{org_id}/audit-events'>

/**
 * Maps each action of an organization to what its author did. The target follows: `revoked API key ci`. Events of the server
 * itself, such as sign-ins, are in its own log, which no list here shows.
 */
const knownVerbs = {
  'key.created': 'created API key',
  'key.updated': 'changed API key',
  'key.rotated': 'rotated API key',
  'key.paused': 'paused API key',
  'key.revoked': 'revoked API key',
  'value.set': 'changed',
  'value.deleted': 'removed the value of',
  'value.rolled_back': 'restored',
  'value.promoted': 'promoted',
  'value.imported': 'imported',
  'secret.revealed': 'revealed',
  'secret.read_by_key': 'read',
  'environment.created': 'created environment',
  'environment.updated': 'changed environment',
  'environment.approvers_replaced':
    'chose, without an approval, who approves changes of environment',
  'environment.deleted': 'deleted environment',
  'environment.frozen': 'froze environment',
  'environment.unfrozen': 'ended the freeze of environment',
  'schema.created': 'created schema',
  'schema.changed': 'changed schema',
  'schema.deleted': 'deleted schema',
  'change.requested': 'asked for',
  'change.revised': 'changed request',
  'change.commented': 'commented on request',
  'change.approved': 'approved request',
  'change.declined': 'declined request',
  'change.scheduled': 'changed the time of request',
  'change.applied': 'applied request',
  'change.conflicted': 'found a conflict in request',
  'change.overridden': 'overrode the approvals of request',
  'change.acknowledged': 'acknowledged request',
  'change.withdrawn': 'withdrew request',
  'change.expired': 'expired request',
  'change.failed': 'could not apply request',
  'change.proven': 'proved the change of',
  'change.restored': 'took back the change of',
  'change.proof_failed': 'did not take back the failed change of',
  'change.inconclusive': 'could not prove the change of',
  'proof.stopped': 'stopped the proof of',
  'plan.created': 'began the rollout of',
  'plan.advanced': 'began the next step of the rollout of',
  'plan.waiting': 'waits for an approval in the rollout of',
  'plan.paused': 'paused the rollout of',
  'plan.resumed': 'resumed the rollout of',
  'plan.returned': 'went back one step in the rollout of',
  'plan.finished': 'finished the rollout of',
  'plan.stopped': 'stopped the rollout of',
  'plan.restored': 'took back the rollout of',
  'release_template.created': 'created release template',
  'release_template.deleted': 'deleted release template',
  'gate.created': 'created gate',
  'gate.updated': 'changed gate',
  'gate.deleted': 'deleted gate',
  'gate_decision.approved': 'approved the deployment of',
  'gate_decision.overridden': 'let go on, without its rules, the deployment of',
  'gate_decision.refused': 'refused the deployment of',
  'preview_rule.created': 'created the rule of previews',
  'preview_rule.updated': 'changed the rule of previews',
  'preview_rule.deleted': 'deleted the rule of previews',
  'segment.created': 'created segment',
  'segment.updated': 'changed segment',
  'segment.deleted': 'deleted segment',
  'signal.created': 'created signal',
  'signal.updated': 'changed signal',
  'signal.deleted': 'deleted signal',
  'signal.tested': 'tested signal',
  'member.joined': 'joined as',
  'member.left': 'left:',
  'member.removed': 'removed member',
  'member.provisioned': 'added member',
  'member.deprovisioned': 'ended the membership of',
  'email_domain.added': 'added e-mail domain',
  'email_domain.verified': 'verified e-mail domain',
  'email_domain.unverified': 'withdrew the verification of e-mail domain',
  'email_domain.removed': 'removed e-mail domain',
  'sign_in_provider.created': 'added sign-in provider',
  'sign_in_provider.updated': 'changed sign-in provider',
  'sign_in_provider.removed': 'removed sign-in provider',
  'scim_token.created': 'created SCIM token',
  'scim_token.revoked': 'ended SCIM token',
  'member.role_changed': 'changed the role of',
  'group.created': 'created group',
  'group.updated': 'renamed group',
  'group.deleted': 'deleted group',
  'group.member_added': 'added a member to group',
  'group.member_removed': 'removed a member from group',
  'grant.created': 'granted a role to',
  'grant.updated': 'changed a grant of',
  'grant.deleted': 'ended a grant of',
  'invitation.created': 'invited',
  'invitation.revoked': 'revoked the invitation of',
  'integration.started': 'began to connect',
  'integration.connected': 'connected',
  'integration.updated': 'changed the settings of',
  'integration.disconnected': 'disconnected',
  'integration.reauth_required': 'lost access to',
  'integration.callback_refused': 'refused a connection to',
  'integration.revoke_confirmed': 'revoked its access to',
  'integration.revoke_failed': 'could not revoke its access to',
  'notification_route.created': 'created notification route',
  'notification_route.updated': 'changed notification route',
  'notification_route.deleted': 'deleted notification route',
  'notification.seen': 'found message',
  'notification.sent_again': 'resent message',
  'webhook.replayed': 'replayed webhook',
  'outgoing_webhook.created': 'created outgoing webhook',
  'outgoing_webhook.updated': 'changed outgoing webhook',
  'outgoing_webhook.rotated': 'rotated the secret of outgoing webhook',
  'outgoing_webhook.deleted': 'deleted outgoing webhook',
  'outgoing_webhook.tested': 'tested outgoing webhook',
  'outgoing_webhook.replayed': 'sent a message again to outgoing webhook',
  'target.created': 'created target',
  'target.updated': 'changed target',
  'target.paused': 'paused target',
  'target.resumed': 'resumed target',
  'target.run_requested': 'ran target',
  'target.written': 'wrote values to the destination of target',
  'target.deleted': 'deleted target',
  'workflow.dispatched': 'ran workflow',
  'failed_job.retried': 'retried job',
  'org.created': 'created organization',
  'org.updated': 'changed organization',
  'org.deleted': 'deleted organization',
  'dek.rotated': 'rotated the encryption key',
  'audit.exported': 'exported the audit log',
  'audit.chain_verified': 'checked the audit log',
  'policies.updated': 'changed the policies of organization',
  'policies.sessions_ended': 'ended every session for organization',
  'org.destroyed': 'destroyed the data of organization',
  'agent_token.created': 'created agent token',
  'agent_token.ended': 'ended agent token',
  'agent_token.reuse_detected': 'saw a used secret again, and ended agent token',
} as const

const verbs: Readonly<Record<string, string>> = knownVerbs

type NounOf<Action> = Action extends `${infer Noun}.${string}` ? Noun : never

const subjects: Readonly<Record<NounOf<keyof typeof knownVerbs>, string>> = {
  value: 'Values',
  secret: 'Secrets',
  schema: 'Schemas',
  segment: 'Segments',
  change: 'Changes and requests',
  proof: 'Proofs',
  plan: 'Rollouts',
  release_template: 'Release templates',
  gate: 'Gates',
  gate_decision: 'Decisions of gates',
  preview_rule: 'Rules of previews',
  signal: 'Signals',
  environment: 'Environments',
  key: 'API keys',
  agent_token: 'Agent tokens',
  member: 'Members',
  group: 'Groups',
  grant: 'Grants',
  email_domain: 'E-mail domains',
  sign_in_provider: 'Sign-in providers',
  scim_token: 'SCIM tokens',
  invitation: 'Invitations',
  integration: 'Integrations',
  notification_route: 'Notification routes',
  notification: 'Messages',
  webhook: 'Incoming webhooks',
  outgoing_webhook: 'Outgoing webhooks',
  target: 'Targets',
  workflow: 'Workflows',
  failed_job: 'Failed jobs',
  org: 'Organization',
  policies: 'Policies',
  dek: 'Encryption key',
  audit: 'Audit log',
}

/** Maps actions to their names where what the author did needs its target. */
const labels: Readonly<Record<string, string>> = {
  'notification.seen': 'said that a message is there',
  'notification.sent_again': 'sent a message again',
  'secret.read_by_key': 'read by an API key',
}

interface ActionChoice {
  readonly action: string
  readonly label: string
}

/** Lists the actions that an organization's log is filtered by: of each subject all of them, and each by itself. */
export const actionGroups: readonly {
  readonly label: string
  readonly actions: readonly ActionChoice[]
}[] = Object.entries(subjects).map(([noun, label]) => ({
  label,
  actions: [
    { action: `${noun}.`, label: `${label}: all actions` },
    ...Object.keys(verbs)
      .filter((action) => action.startsWith(`${noun}.`))
      .map((action) => ({ action, label: labelOf(action) })),
  ],
}))

function labelOf(action: string): string {
  const text = labels[action] ?? verbs[action] ?? action
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/( of| to| as|:)$/, '')}`
}

/** Describes the names that a sentence needs and an event has as ids. */
export interface EventNames {
  readonly organization: { readonly id: string; readonly name: string }
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  readonly providers: readonly { readonly provider: string; readonly displayName: string }[]
}

/** Holds a sentence about an event in parts: what the author did, to what, and where. */
export interface EventSentence {
  readonly did: string
  readonly thing: string
  /** Begins with its preposition. Example: `in production (shop)`. */
  readonly where: string
}

const namedMax = 3

type DescribedEvent = Pick<AuditEvent, 'action' | 'target' | 'detail'>

/**
 * Returns what an event's author did, as a sentence without its subject. An unknown action is its own verb. Example:
 * `{ did: 'revealed', thing: 'checkoutApiToken', where: 'in production (shop)' }`.
 */
export function describeEvent(event: DescribedEvent, names: EventNames): EventSentence {
  const { action, target } = event
  const did = verbs[action] ?? action
  if (action === 'value.imported' || target.type === 'config_values')
    return describeValues(event, names)
  if (target.type === 'member') return describeMember(event, did)
  if (unnamed.has(action)) return { did, thing: '', where: '' }
  if (target.type === 'integration')
    return { did, thing: nameProvider(target.name, names), where: '' }
  const { organization } = names
  const own = target.id === organization.id ? organization.name : target.id
  return { did, thing: target.name ?? own ?? '', where: describeRepositories(event) }
}

function describeValues(event: DescribedEvent, names: EventNames): EventSentence {
  const { action, target, detail } = event
  const did = verbs[action] ?? action
  const thing = listNames(readNames(detail['keys']))
  if (action === 'value.imported') {
    return { did, thing, where: `into ${target.name ?? ''} from ${text(detail['from'])}` }
  }
  return { did, thing: thing || 'no key', where: whereOf(event, names) }
}

/** Names the repositories that a notification route takes, where it does not take all. */
function describeRepositories({ target, detail }: DescribedEvent): string {
  const repositories = target.type === 'notification_route' ? readNames(detail['repositories']) : []
  return repositories.length === 0 ? '' : `for ${listNames(repositories)}`
}

function nameProvider(name: string | null, { providers }: EventNames): string {
  return providers.find(({ provider }) => provider === name)?.displayName ?? name ?? ''
}

/** Lists the actions whose target is no news. */
const unnamed: ReadonlySet<string> = new Set([
  'audit.exported',
  'audit.chain_verified',
  'dek.rotated',
])

function whereOf({ target, detail }: DescribedEvent, names: EventNames): string {
  const environment = nameOf(detail['environmentId'], names)
  const parts = [
    environment !== undefined && `in ${environment}`,
    target.name !== null && `(${target.name})`,
  ]
  return `${parts.filter(Boolean).join(' ')}${describeVersion(detail)}`
}

function describeMember({ action, target, detail }: DescribedEvent, did: string): EventSentence {
  if (action === 'member.joined') return { did, thing: text(detail['role']), where: '' }
  if (action === 'member.left') return { did: 'left', thing: '', where: '' }
  const thing = target.name ?? ''
  if (action !== 'member.role_changed') return { did, thing, where: '' }
  return { did, thing, where: `from ${text(detail['from'])} to ${text(detail['to'])}` }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function readNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function listNames(all: readonly string[]): string {
  const more = all.length - namedMax
  if (more <= 0) return all.join(', ')
  return `${all.slice(0, namedMax).join(', ')} and ${more} more`
}

function nameOf(id: unknown, { environments }: EventNames): string | undefined {
  if (typeof id !== 'string') return undefined
  return environments.find((one) => one.id === id)?.name ?? id
}

function describeVersion({ version, restored }: AuditEvent['detail']): string {
  if (typeof restored === 'number') return `, back to version ${restored}`
  return typeof version === 'number' ? `, version ${version}` : ''
}
