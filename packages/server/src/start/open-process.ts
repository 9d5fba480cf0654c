import { createClientAddress } from '../http/admission/client-address.ts'
import { createRateLimiter } from '../http/admission/rate-limit.ts'
import { createUndeclaredProxies } from '../http/admission/undeclared-proxies.ts'
import { queueNames } from '../jobs/queue-names.ts'
import type { ProcessKit, SharedNode } from '../kit.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { serverVersion } from '../telemetry/version.ts'

/** Opens what does not depend on the roles. */
export function openProcess(
  settings: Settings,
  log: Log,
  stop: AbortSignal,
  sharedNode?: SharedNode,
): ProcessKit {
  const undeclaredProxies = createUndeclaredProxies(log)
  return {
    settings,
    log,
    metrics: createMetrics({ version: serverVersion, queues: queueNames }),
    limiter: createRateLimiter(settings.rateLimits, undefined, sharedNode?.counts),
    clientAddress: createClientAddress(settings.trustedProxies, (address) =>
      undeclaredProxies.note(address),
    ),
    undeclaredProxies,
    now: () => new Date(),
    stop,
    sharedNode,
  }
}
