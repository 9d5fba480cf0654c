import type { SourcedChange } from '@signalbox/contract'

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
