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

/** Describes a change of configuration in an environment of production. Never a value: names and numbers. */
export interface ConfigurationView {
  readonly environment: string
  readonly schema: string
  readonly version: number
  readonly who: string
  readonly comment: string | null
  readonly keys: readonly string[]
}
