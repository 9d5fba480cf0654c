import { join } from 'node:path'
import type { Kit } from '../../kit.ts'
import type { ContextOf } from '../../providers/context.ts'
import { createIntegrationHealth } from '../health/health.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import { createAccessGrants, type AccessGrants } from './access-grants.ts'
import { createChatAccess, type ChatAccess } from './chat-access.ts'
import { openGrantLog } from './grant-log.ts'
import { enqueueRenewal } from './keep-grants.ts'
import {
  createOpenChat,
  createOpenCodehost,
  createOpenTracker,
  type OpenCodehost,
  type OpenProviderDeps,
  type OpenTracker,
} from './open-provider.ts'
import { createOpenTarget, type OpenTarget } from './open-target.ts'
import { requireReauth } from './require-reauth.ts'
import { recoverRenewed } from './store-renewed.ts'

/** Holds the functions that open a connected provider for an organization. */
export interface Access {
  readonly grants: AccessGrants
  readonly openCodehost: OpenCodehost
  readonly openTracker: OpenTracker
  readonly chat: ChatAccess
  readonly openTarget: OpenTarget
}

/** Opens the access to providers. Stores the renewed grants that an earlier process of this node could not store. */
export async function openAccess(
  { store, keys, jobs, settings, log, now }: Kit,
  contextOf: ContextOf,
  integrations: IntegrationDeps,
): Promise<Access> {
  const { connectorOf } = integrations
  const grantLog = await openGrantLog({ directory: join(settings.dataDir, 'spool'), log })
  await recoverRenewed({ store, grantLog, now })
  const health = createIntegrationHealth({
    store,
    now,
    onError: (error) => log.warn('Could not store the health of an integration', { error }),
  })
  const deps: OpenProviderDeps = {
    ...integrations,
    contextOf,
    health,
    requireReauth: (integration, of) => requireReauth(integrations, integration, of),
    grants: createAccessGrants({
      store,
      keys,
      grantLog,
      nodeId: jobs.nodeId,
      connectorOf,
      requireReauth: (integration, of) => requireReauth(integrations, integration, of),
      enqueueRenewal: (tx, of, at) => enqueueRenewal(jobs, tx, of, at),
      now,
    }),
  }
  return {
    grants: deps.grants,
    openCodehost: createOpenCodehost(deps),
    openTracker: createOpenTracker(deps),
    openTarget: createOpenTarget(deps),
    chat: createChatAccess({ openChat: createOpenChat(deps), store: deps.store }),
  }
}
