import type { DeliveryLog } from '../inbox/pull-deliveries.ts'
import { isLoopback } from '../integrations/github-manifest.ts'
import type { ProviderGate } from '../integrations/provider-apps.ts'
import { createGithubDeliveryLog } from '../providers/github/delivery-log.ts'

/**
 * GitHub's own log of what it sent us: what failed, or all of it where GitHub cannot reach this server. Empty as long as
 * there is no App.
 */
export function openDeliveryLog(
  { addresses, apps, egress, now }: ProviderGate,
  publicUrl: () => string,
): DeliveryLog {
  const open = () => {
    const app = apps().github
    return (
      app &&
      createGithubDeliveryLog({
        call: { provider: 'github', egress, now },
        apiUrl: addresses.githubApi,
        app,
        status: isLoopback(publicUrl()) ? 'all' : 'failure',
      })
    )
  }
  return {
    listDeliveries: async (cursor, signal) =>
      (await open()?.listDeliveries(cursor, signal)) ?? { deliveries: [], nextCursor: undefined },
    getDelivery: async (logId, signal) => open()?.getDelivery(logId, signal),
  }
}
