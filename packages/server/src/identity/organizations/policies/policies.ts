import type { AgentScope, AssistantRule } from '@signalbox/contract'
import type { Maker } from '../../../audit/audit-event.ts'

/** Describes what an organization requires of the credential of one of its members. */
export interface MemberPolicies {
  /** Says that a second factor is required, and that the member has none. */
  readonly lacksSecondFactor: boolean
  /** Limits the life of tokens, in days. `null`: no limit. */
  readonly tokenDays: number | null
  readonly sessionIdleMinutes: number | null
  /** Holds the moment before which no confirmation of a session counts. */
  readonly sessionsValidFrom: Date | null
}

/** Describes which assistants an organization lets in. */
export interface AssistantPolicies {
  readonly assistantRule: AssistantRule
  readonly assistantHosts: readonly string[]
  /** Says that tokens that members make by hand count like a listed host. */
  readonly ownTokensListed: boolean
}

/** Describes everything that an organization requires. */
export interface Policies extends Omit<MemberPolicies, 'lacksSecondFactor'>, AssistantPolicies {
  readonly secondFactorRequired: boolean
}

/** Describes the stored policies of an organization, with who changed them last; `null`: nobody. */
export interface StoredPolicies extends Policies {
  readonly changedAt: Date | null
  readonly changedBy: Maker | null
}

const dayMs = 86_400_000
/** A browser that names the end of a token may have another clock. */
const clockToleranceMs = 3_600_000

/** Returns the longest life that a limit of days allows, in milliseconds. */
export function longestLifeMs(days: number): number {
  return days * dayMs + clockToleranceMs
}

/** Returns the smaller number of days. `null` is no limit. */
export function fewerDays(days: number, limit: number | null): number {
  return Math.min(days, limit ?? days)
}

/**
 * Returns the most that an assistant may do, by the host that describes it; `undefined`: a token that its member made by hand.
 * Returns `undefined` for one that is not let in.
 */
export function permitAssistant(
  { assistantRule, assistantHosts, ownTokensListed }: AssistantPolicies,
  clientHost: string | undefined,
): AgentScope | undefined {
  const isListed = clientHost === undefined ? ownTokensListed : assistantHosts.includes(clientHost)
  switch (assistantRule) {
    case 'none':
      return undefined
    case 'read':
      return isListed ? 'write' : 'read'
    case 'listed':
      return isListed ? 'write' : undefined
    case 'any':
      return 'write'
  }
}
