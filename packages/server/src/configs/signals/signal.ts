import type { ReadingOutcome } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import type { SignalSpec } from '@signalbox/contract/rest'

/** Describes what a signal said, without the moment. */
export interface Reading {
  readonly verdict: ReadingOutcome
  readonly value: number | null
  /** Explains it in one sentence. It quotes no header and no secret. */
  readonly detail: string | null
}

/** Describes a signal as it is stored. */
export interface SignalRow {
  readonly id: string
  readonly name: string
  readonly spec: SignalSpec
  /** Holds `{ authorization }` or `{ clientSecret }`, sealed. */
  readonly sealed: Buffer | null
  readonly secretHash: Buffer | null
  /** Maps the fingerprint of each firing alert to the moment since when. Example: `{ a1b2: '2026-11-30T12:00:00.000Z' }`. */
  readonly firing: Readonly<Record<string, string>>
  /** Holds when alerts were received last. `null`: never. */
  readonly heardAt: Date | null
  readonly last: (Reading & { readonly at: string }) | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly createdBy: Maker
}

/** Describes the change that a signal is read for. */
export interface ReadFor {
  readonly environment: string
  readonly schema: string
  readonly version: number
  /** Lists the flags that it changed. */
  readonly flags: readonly string[]
  /** Holds when it went live. What was bad before says nothing about it. */
  readonly since: Date
}
