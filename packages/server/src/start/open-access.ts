import { join } from 'node:path'
import { createAccessGrants, type AccessGrants } from '../integrations/access-grants.ts'
import { createChatAccess, type ChatAccess } from '../integrations/chat-access.ts'
import { openGrantSpool } from '../integrations/grant-spool.ts'
import { createIntegrationHealth } from '../integrations/health.ts'
import type { IntegrationDeps } from '../integrations/integration-deps.ts'
import { createOpenChat } from '../integrations/open-chat.ts'
import { createOpenCodehost, type OpenCodehost } from '../integrations/open-codehost.ts'
import { createOpenTracker, type OpenTracker } from '../integrations/open-tracker.ts'
import type { OpenWithGrantDeps } from '../integrations/open-with-grant.ts'
import type { ProviderGate } from '../integrations/provider-apps.ts'
import { requireReauth } from '../integrations/require-reauth.ts'
import { recoverRenewed } from '../integrations/store-renewed.ts'
import type { Opened } from './start-with-database.ts'

/** The ways to what organizations have connected. */
export interface Access {
  readonly grants: AccessGrants
  readonly openCodehost: OpenCodehost
  readonly openTracker: OpenTracker
  readonly chat: ChatAccess
}

/** Opens the ways, and brings home what an earlier process of this node could not. */
export async function openAccess(
  { store, keys, settings, log, now }: Opened,
  gate: ProviderGate,
  integrations: IntegrationDeps,
): Promise<Access> {
  const { connectorOf } = integrations
  const spool = await openGrantSpool({ directory: join(settings.dataDir, 'spool'), log })
  await recoverRenewed({ store, spool, now })
  const health = createIntegrationHealth({
    store,
    now,
    onError: (error) => log.warn('The health of an integration could not be noted', { error }),
  })
  const deps: OpenWithGrantDeps = {
    store,
    gate,
    health,
    requireReauth: (integration, of) => requireReauth(integrations, integration, of),
    grants: createAccessGrants({
      store,
      keys,
      spool,
      connectorOf,
      requireReauth: (integration, of) => requireReauth(integrations, integration, of),
      now,
    }),
  }
  return {
    grants: deps.grants,
    openCodehost: createOpenCodehost({ ...integrations, gate, health }),
    openTracker: createOpenTracker(deps),
    chat: createChatAccess({ openChat: createOpenChat(deps) }),
  }
}
