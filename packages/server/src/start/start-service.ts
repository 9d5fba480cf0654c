import type { Settings } from '../settings.ts'
import type { Log } from '../telemetry/log.ts'
import { openStartDeps, type Service } from './service.ts'
import { startDeliveryOnly } from './start-delivery-only.ts'
import { startWithDatabase } from './start-with-database.ts'

/**
 * Starts the roles that the settings name.
 *
 * @throws {Error} whose message says in one sentence why it cannot start.
 */
export async function startService(settings: Settings, log: Log): Promise<Service> {
  const deps = openStartDeps(settings, log)
  const deliversOnly = settings.roles.has('delivery') && settings.roles.size === 1
  return deliversOnly ? startDeliveryOnly(deps) : startWithDatabase(deps)
}
