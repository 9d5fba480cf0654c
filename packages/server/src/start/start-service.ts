import type { ProcessKit } from '../kit.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import { findDeliveryStart } from './find-delivery-start.ts'
import { listenForOperators } from './listeners/listen-for-operators.ts'
import { openProcess } from './open-process.ts'
import type { Service } from './service.ts'

/** Holds what only tests set. Written out: the types of this package must not lead to those of PostgreSQL. */
export interface ServiceOverrides {
  /** Holds back the first message of a deployment so long. */
  readonly initialHoldMs?: number | undefined
}

/**
 * Starts the roles that the settings name. Once `stop` is aborted it gives up at the next step, with everything it has
 * opened closed again.
 *
 * @throws {OperatorError} that says in one sentence why it cannot start.
 */
export async function startService(
  settings: Settings,
  log: Log,
  stop: AbortSignal = new AbortController().signal,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const kit = { ...openProcess(settings, log, stop), ...overrides }
  const operators = await listenForOperators(kit)
  try {
    const service = await startRoles(kit)
    operators?.ready()
    return {
      ...service,
      ...(operators && { metricsUrl: operators.url }),
      async close() {
        // The last, so that the whole stop can be watched.
        await service.close().finally(() => operators?.close())
      },
    }
  } catch (error) {
    await operators?.close()
    throw error
  }
}

async function startRoles(kit: ProcessKit): Promise<Service> {
  if (kit.settings.deliveryProcesses > 1) {
    const { startProcesses } = await import('./processes/start-processes.ts')
    return startProcesses(kit)
  }
  const startDelivery = await findDeliveryStart(kit.settings)
  if (startDelivery !== undefined) return startDelivery(kit)
  const { startWithDatabase } = await import('./start-with-database.ts')
  return startWithDatabase(kit)
}
