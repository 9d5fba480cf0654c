import { createClientAddress, type ClientAddress } from '../http/admission/client-address.ts'
import { createRateLimiter, type RateLimiter } from '../http/admission/rate-limit.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { serverVersion } from '../version.ts'

/** What every way of starting is given. */
export interface StartDeps {
  readonly settings: Settings
  readonly log: Log
  readonly metrics: Metrics
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly now: () => Date
  /** Aborted when the process is asked to stop: a start that is under way is given up. */
  readonly stop: AbortSignal
}

/** A running service. */
export interface Service {
  /** Undefined in a process without the API role. */
  readonly apiUrl: string | undefined
  /** Undefined in a process without the delivery role. */
  readonly configUrl: string | undefined
  /** The one-time link, while nobody can sign in yet. */
  readonly setupUrl: string | undefined
  /** What the person who started it should be told besides, one sentence each. */
  readonly notices: readonly string[]
  /** Finishes accepted requests, ends streams with a hint when to come back, stops what was started: within 10 s. */
  close(): Promise<void>
}

/** Opens what does not depend on the roles. */
export function openStartDeps(settings: Settings, log: Log, stop: AbortSignal): StartDeps {
  return {
    settings,
    log,
    metrics: createMetrics({ version: serverVersion }),
    limiter: createRateLimiter(settings.rateLimits),
    clientAddress: createClientAddress(settings.trustedProxies),
    now: () => new Date(),
    stop,
  }
}
