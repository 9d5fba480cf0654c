export interface DeliveryPorts {
  readonly delivery: number
  /** Undefined without a sync service for flagd. */
  readonly flagd: number | undefined
}

/** Describes a running service. */
export interface Service {
  /** Undefined in a process without the API role. */
  readonly apiUrl: string | undefined
  /** Undefined in a process without the delivery role. */
  readonly configUrl: string | undefined
  /** Absent without an address of its own for metrics and health. */
  readonly metricsUrl?: string
  /** Holds the one-time link, while nobody can sign in yet. */
  readonly setupUrl: string | undefined
  /** Holds what else the person who started it needs to know, one sentence each. */
  readonly notices: readonly string[]
  /**
   * Prepares the stop: says in `/readyz` and with each answer that the process stops, ends streams spread over `pauseMs`, and
   * serves on. Resolves after the pause; at once where the process has no address.
   */
  drain(pauseMs: number): Promise<void>
  /** Finishes accepted requests, ends streams with a hint when to come back, stops what was started: within 10 s. */
  close(): Promise<void>
}

/** Describes a running service that only delivers. */
export interface DeliveringService extends Service {
  readonly configUrl: string
  readonly ports: DeliveryPorts
}
