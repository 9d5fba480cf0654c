import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import type { ProcessKit } from '../kit.ts'
import type { Settings } from '../settings.ts'
import { OperatorError } from '../store/operator-error.ts'
import type { Log } from '../telemetry/log.ts'
import { findDeliveryStart } from './find-delivery-start.ts'
import { listenForOperators } from './listeners/listen-for-operators.ts'
import { openProcess } from './open-process.ts'
import { withRootKeys } from './root-keys.ts'
import type { Service } from './service.ts'

/** Holds what only tests set. Written out: the types of this package must not lead to those of PostgreSQL. */
export interface ServiceOverrides {
  /** Holds back the first message of a deployment so long. */
  readonly initialHoldMs?: number | undefined
  /** Limits how long a start begins again while the database does not answer in time. */
  readonly patienceMs?: number | undefined
}

/** A machine that has just booted may need so long for its disk. */
const patienceMsDefault = 60_000
const pauseMs = 1_000

/**
 * Starts the roles that the settings name. Once `stop` is aborted it gives up at the next step, with everything it has
 * opened closed again. Begins again for a minute while the database is reached and does not answer in time.
 *
 * @throws {OperatorError} that says in one sentence why it cannot start.
 */
export async function startService(
  withoutKeys: Settings,
  log: Log,
  stop: AbortSignal = new AbortController().signal,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const settings = await withRootKeys(withoutKeys, stop)
  const deadlineMs = performance.now() + (overrides.patienceMs ?? patienceMsDefault)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(settings, log, stop, overrides)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'db_unavailable' || stop.aborted)
        throw error
      if (performance.now() > deadlineMs) throw tooSlow(error)
      log.warn('The database did not answer in time during the start; starting again', { attempt })
      await delay(pauseMs, undefined, { signal: stop }).catch(() => stop.throwIfAborted())
    }
  }
}

function tooSlow(cause: Problem): OperatorError {
  return new OperatorError('The database answers too slowly to start.', {
    code: 'database_slow',
    advice: 'Look at the load of PostgreSQL, at its locks and its disk, then start again.',
    cause,
  })
}

async function startOnce(
  settings: Settings,
  log: Log,
  stop: AbortSignal,
  overrides: ServiceOverrides,
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
