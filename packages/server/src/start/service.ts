/** Describes a running service. */
export interface Service {
  /** Undefined in a process without the API role. */
  readonly apiUrl: string | undefined
  /** Undefined in a process without the delivery role. */
  readonly configUrl: string | undefined
  /** Holds the one-time link, while nobody can sign in yet. */
  readonly setupUrl: string | undefined
  /** Holds what else the person who started it needs to know, one sentence each. */
  readonly notices: readonly string[]
  /** Finishes accepted requests, ends streams with a hint when to come back, stops what was started: within 10 s. */
  close(): Promise<void>
}
