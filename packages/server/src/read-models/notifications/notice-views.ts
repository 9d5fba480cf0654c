import type { SourcedChange } from '@signalbox/contract'
import type { RequestState } from '@signalbox/contract'
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
}
