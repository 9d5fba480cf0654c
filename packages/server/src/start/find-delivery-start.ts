import type { ProcessKit } from '../kit.ts'
import { isFedByOthers, type Settings } from '../settings.ts'
import type { ShareStatus } from './processes/join-status.ts'
import type { DeliveringService } from './service.ts'

/** Starts a process that does nothing but deliver. */
export type StartDelivery = (
  kit: ProcessKit,
  shareStatus?: ShareStatus,
) => Promise<DeliveringService>

/**
 * Returns what starts a process that only delivers; `undefined` where it does more. Loads only the modules of the roles: the API
 * would cost such a process a fifth of its memory.
 */
export async function findDeliveryStart(
  settings: Pick<Settings, 'roles' | 'nats'>,
): Promise<StartDelivery | undefined> {
  if (isFedByOthers(settings)) return (await import('./start-relay.ts')).startRelay
  const { roles } = settings
  const deliversOnly = roles.has('delivery') && roles.size === 1
  return deliversOnly ? (await import('./start-delivery-only.ts')).startDeliveryOnly : undefined
}
