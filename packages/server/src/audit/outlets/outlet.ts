import type { Author, AuditTarget } from '../audit-event.ts'

/** Lists the ways on which the audit log leaves the service. */
export const outletNames = ['otlp', 'stdout'] as const
export type OutletName = (typeof outletNames)[number]

/** Describes an event as it leaves the service. */
export interface ForwardedEvent {
  readonly sequence: number
  readonly id: string
  /** Holds the microseconds since 1970, as text: they do not fit into a number forever. */
  readonly micros: string
  readonly actor: Author
  readonly action: string
  readonly target: AuditTarget
  readonly detail: Readonly<Record<string, unknown>>
  readonly requestId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** Holds events of one chain, in their order and without a gap, with the end of the chain when they were read. */
export interface EventBatch {
  /** Names the organization, or the chain of the server. */
  readonly orgId: string
  readonly newest: { readonly sequence: number; readonly hash: Buffer }
  readonly events: readonly ForwardedEvent[]
}

/**
 * Describes what became of a batch. `refused`: the receiver does not take these events, whenever they are sent. `failed`: it
 * takes nothing now.
 */
export type SendOutcome =
  | { readonly state: 'taken'; readonly rejected: number }
  | {
      readonly state: 'refused' | 'failed'
      /** Example: `http_503`. */
      readonly reason: string
      readonly retryAfterSeconds?: number | undefined
    }

/** Sends batches somewhere. */
export interface Outlet {
  readonly name: OutletName
  /** Limits the events of a batch. */
  readonly batchMax: number
  send(batch: EventBatch): Promise<SendOutcome>
}

/** Returns the time of an event as ISO 8601 with microseconds, as the chain covers it. */
export function toTime(micros: string): string {
  const millis = Number(micros.slice(0, -3))
  return `${new Date(millis).toISOString().slice(0, -1)}${micros.slice(-3)}Z`
}
