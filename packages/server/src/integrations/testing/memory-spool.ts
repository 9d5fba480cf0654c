import type { GrantSpool, RenewedGrant } from '../grants/grant-spool.ts'

/** A spool that ends with the test. */
export function openMemorySpool(): GrantSpool {
  const grants = new Map<string, RenewedGrant>()
  return {
    keep: async (grant) => void grants.set(grant.integrationId, grant),
    find: (integrationId) => grants.get(integrationId),
    list: () => [...grants.values()],
    forget: async ({ integrationId }) => void grants.delete(integrationId),
  }
}
