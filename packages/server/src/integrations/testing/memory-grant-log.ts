import type { GrantLog, RenewedGrant } from '../grants/grant-log.ts'

/** Creates a log of renewed grants that ends with the test. */
export function openMemoryGrantLog(): GrantLog {
  const grants = new Map<string, RenewedGrant>()
  return {
    keep: async (grant) => void grants.set(grant.integrationId, grant),
    find: (integrationId) => grants.get(integrationId),
    list: () => [...grants.values()],
    forget: async ({ integrationId }) => void grants.delete(integrationId),
  }
}
