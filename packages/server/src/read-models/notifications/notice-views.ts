import type { ProofState, RequestState, SourcedChange } from '@signalbox/contract'
import type { ChangeRequestSummary } from '@signalbox/contract/rest'

/** Describes an integration that a person has to look after. */
export interface AttentionView {
  /** Example: `tracker`. */
  readonly kind: string
  readonly provider: string
  readonly account: string | null
  readonly state: string
  readonly reason: string | null
  readonly nextStep: string | null
}

/** Describes a change of a flag: its state before and after. */
export interface FlagView extends SourcedChange {
  readonly key: string
}

/** Describes how a change is watched once it is live, and how that ended. */
export interface ProofView {
  readonly environment: string
  readonly state: ProofState
  readonly minutes: number
  readonly signals: readonly string[]
  /** Says that a later change is watched first. */
  readonly isWaiting: boolean
  /** Says why it ended. */
  readonly reason: string | null
  /** Names the versions that took the change back. */
  readonly restored: readonly { readonly environment: string; readonly version: number }[]
  /** Says why something was not taken back. */
  readonly notRestored: string | null
  readonly stoppedBy: string | null
}

/** Describes a change of configuration in an environment of production. It has no values but those of flags. */
export interface ConfigurationView {
  readonly environment: string
  readonly schema: string
  readonly version: number
  readonly who: string
  readonly comment: string | null
  /** Names the changed keys that are no flags. */
  readonly keys: readonly string[]
  readonly flags: readonly FlagView[]
  /** Null: nobody watches it. */
  readonly proof: ProofView | null
}

/** Describes a change request. It has no values. */
export interface RequestView {
  readonly number: number
  readonly title: string
  readonly reason: string
  readonly state: RequestState
  readonly who: string
  /** Names the keys whose readers it changes. */
  readonly keys: readonly string[]
  /** Lists those that need approvals first. */
  readonly environments: readonly {
    readonly id: string
    readonly name: string
    readonly isProduction: boolean
    readonly approvals: ChangeRequestSummary['environments'][number]['approvals']
  }[]
  readonly approvedBy: readonly string[]
  readonly declines: readonly { readonly who: string; readonly text: string }[]
  readonly applyAt: Date | null
  /** Names the keys that somebody else has changed since it was approved. Null: none, and nothing else. */
  readonly conflict: readonly string[] | null
  /** Says why it failed, by a code. */
  readonly failure: string | null
  readonly overridden: {
    readonly who: string
    readonly comment: string
    /** Null: nobody else has seen it. */
    readonly acknowledgedBy: string | null
  } | null
  /** Describes how its versions are watched. */
  readonly proofs: readonly ProofView[]
}
