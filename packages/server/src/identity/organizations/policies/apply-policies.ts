import { Problem, type AgentScope } from '@signalbox/contract'
import type { AgentActor, UserActor } from '../../../http/admission/actor.ts'
import {
  longestLifeMs,
  permitAssistant,
  type AssistantPolicies,
  type MemberPolicies,
} from './policies.ts'

/** Describes the credential of a member, as far as policies ask. */
export type MemberCredential =
  | { readonly type: 'session'; readonly authenticatedAt: Date; readonly idleMs: number }
  | {
      readonly type: 'token'
      /** Holds the time between its creation and its end; `Infinity` for one without an end. */
      readonly lifeMs: number
    }

/**
 * Applies the policies of an organization to a member who reaches it. Returns the most that an assistant may do there.
 *
 * @throws {Problem} `second_factor_off`, `token_life_forbidden`, `step_up_required`, `assistant_forbidden`
 */
export function applyPolicies(
  actor: UserActor | AgentActor,
  policies: MemberPolicies & AssistantPolicies,
): AgentScope | undefined {
  const rejection = findRejection(policies, toCredential(actor))
  if (rejection !== undefined) throw rejection
  if (actor.type !== 'agent') return undefined
  const scope = permitAssistant(policies, actor.clientHost)
  if (scope === undefined) {
    throw assistantForbidden('This organization does not let this assistant in.')
  }
  return scope
}

/** Returns what is known of the credential that a member acts with. What is not known keeps it out. */
export function toCredential(actor: UserActor | AgentActor): MemberCredential {
  if (actor.type === 'agent' || actor.via === 'token') {
    return { type: 'token', lifeMs: actor.lifeMs ?? Infinity }
  }
  const { authenticatedAt = new Date(0), idleMs = Infinity } = actor
  return { type: 'session', authenticatedAt, idleMs }
}

/** Returns why an organization does not let a member in with this credential; `undefined`: it does. */
export function findRejection(
  policies: MemberPolicies,
  credential: MemberCredential,
): Problem | undefined {
  if (policies.lacksSecondFactor) return secondFactorOff()
  return credential.type === 'session'
    ? findSessionRejection(policies, credential)
    : findTokenRejection(policies, credential.lifeMs)
}

/** Returns the problem of a person whose second factor is off. */
function secondFactorOff(): Problem {
  const detail =
    'This organization requires a second factor, and yours is off. Turn it on in the dashboard, under Your account, and try again.'
  return new Problem('second_factor_off', detail)
}

/** Returns the problem of an assistant that the policies do not allow. */
export function assistantForbidden(reason: string): Problem {
  const detail = `${reason} An owner decides under Settings, Policies, which assistants may be connected.`
  return new Problem('assistant_forbidden', detail)
}

function findSessionRejection(
  { sessionIdleMinutes, sessionsValidFrom }: MemberPolicies,
  { authenticatedAt, idleMs }: Extract<MemberCredential, { readonly type: 'session' }>,
): Problem | undefined {
  if (sessionsValidFrom !== null && authenticatedAt < sessionsValidFrom) {
    return unconfirmed('An owner of this organization has ended every session.')
  }
  if (sessionIdleMinutes !== null && idleMs > sessionIdleMinutes * 60_000) {
    return unconfirmed(
      `This organization lets a session be idle for at most ${sessionIdleMinutes} minutes.`,
    )
  }
  return undefined
}

function unconfirmed(reason: string): Problem {
  return new Problem('step_up_required', `${reason} Confirm your password, or sign in again.`)
}

function findTokenRejection({ tokenDays }: MemberPolicies, lifeMs: number): Problem | undefined {
  if (tokenDays === null || lifeMs <= longestLifeMs(tokenDays)) return undefined
  const detail = `This organization accepts tokens that work for at most ${tokenDays} days, counted from their creation. Create one that ends sooner: a personal access token under Your account or with signalbox login, an agent token under API keys.`
  return new Problem('token_life_forbidden', detail)
}
