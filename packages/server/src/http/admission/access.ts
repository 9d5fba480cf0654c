import {
  may,
  Problem,
  type ApiKeyKind,
  roles,
  type Permission,
  type Role,
} from '@signalbox/contract'
import { hasDryRun, isWrite, type EndpointShape } from '@signalbox/contract/rest'
import type { Actor, AgentActor } from './actor.ts'

/**
 * Refuses what the actor may not do at this endpoint. Everything that the declaration does not allow is refused.
 * `isOperator` is checked separately.
 *
 * @throws {Problem} `key_kind_forbidden`, `key_read_only` or `role_forbidden`.
 */
export function requireAccess(
  endpoint: Pick<EndpointShape, 'access' | 'method' | 'readsWithBody' | 'body'>,
  actor: Actor,
  admitted: Admitted,
): void {
  const { access } = endpoint
  if (actor.type === 'agent') return requireTools(access)
  switch (access.kind) {
    case 'open':
      return
    case 'identified':
      if (isWrite(endpoint) && isKey(actor, 'b2m')) throw keyRefused('b2m')
      // Not even the name of its organization: it feeds a relay and reads nothing else.
      if (isKey(actor, 'rly')) throw keyRefused('rly')
      return
    case 'assistant':
    case 'person':
    case 'operator':
      if (actor.type === 'api_key') throw keyRefused(actor.kind)
      return
    case 'organization':
      requireMember(access, actor, admitted)
      requireWritingAtOnce(endpoint, actor, admitted)
      return
    default:
      access satisfies never
  }
}

type OrganizationAccess = Extract<EndpointShape['access'], { readonly kind: 'organization' }>

/** Holds what somebody may do in the organization of a request. */
export interface Admitted {
  /** Holds the role that they have everywhere; `undefined` for API keys and without an organization. */
  readonly role: Role | undefined
  readonly permissions: readonly Permission[]
}

function requireMember(
  access: OrganizationAccess,
  actor: Exclude<Actor, AgentActor>,
  { role, permissions }: Admitted,
): void {
  if (actor.type === 'api_key') requireKeyKind(access.keys, actor.kind)
  else
    requirePermission(access, {
      role: actor.type === 'bootstrap' ? 'owner' : role,
      permissions,
    })
}

/**
 * Requires what an endpoint asks of a member: its role everywhere or, where a verb is declared, the verb somewhere. The use case
 * then asks for the verb in the environment and schema that the request is about.
 *
 * @throws {Problem} `role_forbidden`
 */
export function requirePermission(
  { role: needed, verb }: Pick<OrganizationAccess, 'role' | 'verb'>,
  { role, permissions }: Admitted,
): void {
  if (verb === undefined || !may(permissions, verb, {})) requireRole(needed, role)
}

/** Returns whether a person who asks about an organization has `needed` or a role that includes it. */
export function hasRole(
  { actor, role }: { readonly actor: Actor; readonly role: Role | undefined },
  needed: Role,
): boolean {
  if (actor.type === 'bootstrap') return true
  return actor.type === 'user' && role !== undefined && roles.indexOf(role) <= roles.indexOf(needed)
}

function requireTools({ kind }: EndpointShape['access']): void {
  if (kind !== 'assistant' && kind !== 'open') throw agentRefused()
}

function isKey(actor: Actor, kind: ApiKeyKind): boolean {
  return actor.type === 'api_key' && actor.kind === kind
}

function requireKeyKind(allowed: 'none' | 'm2m' | 'm2m+b2m', kind: ApiKeyKind): void {
  const fits = allowed !== 'none' && (kind === 'm2m' || (kind === 'b2m' && allowed === 'm2m+b2m'))
  if (!fits) throw keyRefused(kind)
}

/**
 * Refuses a write with a server key that only reads. Where a verb is declared, a grant may allow it somewhere, and the use case
 * asks for it there; everything else takes the access of the key. A dry run stores nothing, so it is no write; where an endpoint
 * has one, only the body tells.
 *
 * @throws {Problem} `key_read_only`
 */
export function requireWriting(
  endpoint: Pick<EndpointShape, 'access' | 'method' | 'readsWithBody'>,
  actor: Actor | undefined,
  { permissions }: Pick<Admitted, 'permissions'>,
  body?: unknown,
): void {
  // Keys of the other kinds write nothing by their kind.
  if (actor?.type !== 'api_key' || actor.access === 'write' || !isWrite(endpoint)) return
  const verb = endpoint.access.kind === 'organization' ? endpoint.access.verb : undefined
  if (isDryRun(body) || (verb !== undefined && may(permissions, verb, {}))) return
  const detail =
    'This server key only reads. Use one that writes, or let an admin give this one write access under API keys.'
  throw new Problem('key_read_only', detail)
}

function requireWritingAtOnce(
  endpoint: Pick<EndpointShape, 'access' | 'method' | 'readsWithBody' | 'body'>,
  actor: Actor,
  admitted: Admitted,
): void {
  if (!hasDryRun(endpoint)) requireWriting(endpoint, actor, admitted)
}

/** Returns whether a body asks what a change would do. */
export function isDryRun(body: unknown): boolean {
  return Reflect.get(Object(body), 'dryRun') === true
}

const relayKeyDetail =
  'A relay key (sbx_rly_) only feeds a relay, below /replica. Use a server key (sbx_m2m_) or a personal access token.'

function keyRefused(kind: ApiKeyKind): Problem {
  const detail =
    kind === 'rly'
      ? relayKeyDetail
      : kind === 'b2m'
        ? 'A browser key (sbx_b2m_) can only read public values and flags. Use a server key (sbx_m2m_) or a personal access token.'
        : 'A server key (sbx_m2m_) cannot manage people, keys or the organization. Use a personal access token.'
  return new Problem('key_kind_forbidden', detail)
}

/** Returns the problem of an agent token outside of `/mcp`. */
export function agentRefused(): Problem {
  const detail =
    'An agent token (sbx_agt_) works at /mcp only, with its tools. Use a personal access token or an API key.'
  return new Problem('agent_token_forbidden', detail)
}

/** Returns the problem of a person who does not run this server. */
export function operatorRefused(): Problem {
  const detail =
    'Only an operator of this server may do this: an owner of its first organization, or the bootstrap token.'
  return new Problem('role_forbidden', detail)
}

/** Requires at least a role. @throws {Problem} `role_forbidden` */
function requireRole(needed: Role, role: Role | undefined): void {
  if (role !== undefined && roles.indexOf(role) <= roles.indexOf(needed)) return
  throw new Problem('role_forbidden', `This needs the ${needed} role. Ask an owner or admin.`)
}
