import { createOrganizationKeys, type OrganizationKeys } from '../vault/organization-keys.ts'
import type { Resources } from './resources.ts'

const flushSealCountsEveryMs = 60_000

/**
 * Opens the organizations' keys. How often each has sealed is written down every minute, so that it is replaced long
 * before that is too often.
 */
export function keepOrganizationKeys({
  store,
  rootKeys,
  closing,
  log,
  now,
}: Pick<Resources, 'store' | 'rootKeys' | 'closing' | 'log' | 'now'>): OrganizationKeys {
  const keys = createOrganizationKeys({ store, rootKeys, now })
  const timer = setInterval(() => {
    keys
      .flushSealCounts()
      .catch((error: unknown) => log.warn('Seal counts could not be written', { error }))
  }, flushSealCountsEveryMs).unref()
  closing.push(async () => {
    clearInterval(timer)
    await keys.flushSealCounts().catch(() => {})
  })
  return keys
}
