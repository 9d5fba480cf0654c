/** Describes whether something that the service needs is there. */
export interface ReadinessCheck {
  readonly ok: boolean
  /** Says for people what is there, or what is missing. */
  readonly detail: string
  /** Tells that something about a part that works needs the operator. */
  readonly warning?: true
}

/** Describes whether a process can serve, with all its checks. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<string, ReadinessCheck>>
}

/** Returns the readiness of a process: `ready` when every check is ok. */
export function toReadiness(checks: Readonly<Record<string, ReadinessCheck>>): Readiness {
  const isReady = Object.values(checks).every(({ ok }) => ok)
  return { status: isReady ? 'ready' : 'not_ready', checks }
}
