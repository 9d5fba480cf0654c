import { createClientAddress } from '../http/admission/client-address.ts'
import { createRateLimiter } from '../http/admission/rate-limit.ts'
import type { ProcessKit } from '../kit.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { serverVersion } from '../version.ts'

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

/** Opens what does not depend on the roles. */
export function openProcess(settings: Settings, log: Log, stop: AbortSignal): ProcessKit {
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
