import type { BodyOf, endpoints } from '@signalbox/contract/rest'

/** Describes the request that a command makes of a change that people must approve. */
export interface RequestTerms {
  readonly title: string | undefined
  readonly reason: string | undefined
  /** Holds the moment at which it applies itself, as ISO 8601. */
  readonly applyAt: string | undefined
}

export type RequestBody = BodyOf<(typeof endpoints)['createChangeRequest']>

/** Holds the flags that describe a request, beside others. */
export interface AskingFlags {
  readonly request?: boolean | undefined
  readonly title?: string | undefined
  readonly reason?: string | undefined
  /** Holds a moment, or in commands about the order of rules a place. */
  readonly at?: unknown
  readonly wait?: number | undefined
}

/** Returns the terms in which a command asks for a change, if it does: each of the flags asks. */
export function toTerms(flags: AskingFlags): RequestTerms | undefined {
  // Other commands have flags of these names that mean something else.
  if (!('request' in flags)) return undefined
  const { request, title, reason, at, wait } = flags
  const applyAt = at instanceof Date ? at.toISOString() : undefined
  const isAsked = [title, reason, applyAt, wait].some((term) => term !== undefined)
  return request === true || isAsked ? { title, reason, applyAt } : undefined
}

/** Returns the terms as members of the body of a request. */
export function toMembers({ title, reason, applyAt }: RequestTerms) {
  return {
    ...(title !== undefined && { title }),
    ...(reason !== undefined && { reason }),
    ...(applyAt !== undefined && { applyAt }),
  }
}
