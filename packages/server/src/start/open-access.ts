import { join } from 'node:path'
import { createAccessGrants, type AccessGrants } from '../integrations/grants/access-grants.ts'
import { createChatAccess, type ChatAccess } from '../integrations/grants/chat-access.ts'
import { openGrantLog } from '../integrations/grants/grant-log.ts'
import { createIntegrationHealth } from '../integrations/health/health.ts'
import type { IntegrationDeps } from '../integrations/integration-deps.ts'
import {
  createOpenChat,
  createOpenCodehost,
  createOpenTracker,
  type OpenCodehost,
  type OpenProviderDeps,
  type OpenTracker,
} from '../integrations/grants/open-provider.ts'
import type { ContextOf } from '../providers/context.ts'
import { requireReauth } from '../integrations/grants/require-reauth.ts'
import { recoverRenewed } from '../integrations/grants/store-renewed.ts'
import type { Resources } from './resources.ts'

/** The ways to what organizations have connected. */
export interface Access {
  readonly grants: AccessGrants
  readonly openCodehost: OpenCodehost
  readonly openTracker: OpenTracker
  readonly chat: ChatAccess
}

/** Opens the ways, and brings home what an earlier process of this node could not. */
export async function openAccess(
  { store, keys, settings, log, now }: Resources,
  contextOf: ContextOf,
  integrations: IntegrationDeps,
): Promise<Access> {
  const { connectorOf } = integrations
  const grantLog = await openGrantLog({ directory: join(settings.dataDir, 'spool'), log })
  await recoverRenewed({ store, grantLog, now })
  const health = createIntegrationHealth({
    store,
    now,
    onError: (error) => log.warn('The health of an integration could not be noted', { error }),
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
      connectorOf,
      requireReauth: (integration, of) => requireReauth(integrations, integration, of),
      now,
    }),
  }
  return {
    grants: deps.grants,
    openCodehost: createOpenCodehost(deps),
    openTracker: createOpenTracker(deps),
    chat: createChatAccess({ openChat: createOpenChat(deps), store: deps.store }),
  }
}
