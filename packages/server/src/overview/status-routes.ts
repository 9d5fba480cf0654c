import { integrationEndpoints as endpoints } from '@signalbox/contract/rest'
import { toCaller } from '../audit/caller.ts'
import { presentCodehost, readCodehost } from '../deployments/codehost/codehost-status.ts'
import { presentTracker, toTrackerView } from '../deployments/issues/tracker-status.ts'
import type { Router } from '../http/router.ts'
import type { IntegrationDeps } from '../integrations/integration-deps.ts'
import { presentChat } from '../notifications/chat/present-chat.ts'
import { listIntegrationRows } from '../integrations/rows.ts'

/** Mounts the status of all integrations of an organization, in one answer of three features. */
export function mountIntegrationStatus(
  router: Router,
  { store, connectorOf }: Pick<IntegrationDeps, 'store' | 'connectorOf'>,
): void {
  router.add(endpoints.listIntegrations, {
    async handle(request) {
      const { orgId, scope } = toCaller(request)
      return store.transaction(scope, async (tx) => {
        const rows = await listIntegrationRows(tx, orgId)
        return {
          codehost: await readCodehost(tx, orgId),
          tracker: toTrackerView(rows),
          chat: rows.find(({ kind }) => kind === 'chat'),
        }
      })
    },
    present: ({ codehost, tracker, chat }) => ({
      codehost: presentCodehost(codehost, connectorOf),
      tracker: presentTracker(tracker, connectorOf),
      chat: presentChat(chat, connectorOf),
    }),
  })
}
