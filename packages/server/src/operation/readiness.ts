/** One thing the service needs, and how it stands. */
export interface ReadinessCheck {
  readonly ok: boolean
  /** For a person: what is there, or what is missing. */
  readonly detail: string
}

export interface Readiness {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<string, ReadinessCheck>>
}

/** Ready when every check is. */
export function toReadiness(checks: Readonly<Record<string, ReadinessCheck>>): Readiness {
  const isReady = Object.values(checks).every(({ ok }) => ok)
  return { status: isReady ? 'ready' : 'not_ready', checks }
}
