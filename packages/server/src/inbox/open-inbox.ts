import { Problem } from '@signalbox/contract'
import { findIntegrationByAccount } from '../integrations/rows.ts'
import { createConnectionHomes } from '../integrations/webhooks/connection-homes.ts'
import { findWebhookConnection } from '../integrations/webhooks/webhook-secrets.ts'
import type { Feature, Kit } from '../kit.ts'
import type { ContextOf, ProviderContext } from '../providers/context.ts'
import { sendsWebhooks, type WebhookProvider } from '../providers/find-provider.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { providers } from '../providers/registry.ts'
import { workInbox } from './jobs.ts'
import type { ProcessDeps } from './process-webhook.ts'
import type { PullDeps } from './pull-deliveries.ts'
import { healQueue } from './queue.ts'
import { mountInbox } from './routes.ts'
import { createDeliveryStore } from './store-deliveries.ts'

/** Describes what the inbox needs: what reaches a provider, and what its events are given to. */
export interface InboxPorts extends Pick<ProcessDeps, 'codehost' | 'chat' | 'tracker'> {
  readonly contextOf: ContextOf
}

/** Opens the inbox of webhooks. */
export function openInbox(
  { store, keys, jobs, publicUrl, log, now }: Kit,
  { contextOf, codehost, chat, tracker }: InboxPorts,
): Feature {
  const deliveries = createDeliveryStore({ store, jobs })
  const homes = createConnectionHomes({ store })
  const process: ProcessDeps = {
    store,
    async findIntegration(provider, accountId) {
      const row = await store.maintenance((tx) => findIntegrationByAccount(tx, provider, accountId))
      return row && { orgId: row.orgId, integrationId: row.id }
    },
    codehost,
    chat,
    tracker,
    log,
    now,
  }
  const openPulls = (): PullDeps[] =>
    providers.filter(sendsWebhooks).flatMap((provider) => {
      const pulled = provider.webhooks.openLog?.(contextOf(provider.name), {
        publicUrl: publicUrl(),
      })
      return pulled === undefined ? [] : [{ provider, log: pulled, store, deliveries, now }]
    })
  return {
    mount: (router) =>
      mountInbox(router, {
        store,
        jobs,
        deliveries,
        secretsOf: (provider) => readSecrets(provider, contextOf(provider.name)),
        findConnection: (provider, id) =>
          findWebhookConnection({ store, keys, homes }, provider, id),
        now,
      }),
    async work() {
      await workInbox(jobs, { process, requeue: { store, jobs, now }, openPulls })
      // Webhooks that were sent while no node ran need not wait for the schedule's next minute.
      await store.maintenance((tx) => jobs.enqueue(tx, healQueue.name, {}))
    },
  }
}

async function readSecrets(
  { webhooks, displayName }: WebhookProvider,
  context: ProviderContext,
): Promise<readonly string[]> {
  const { verifiedBy } = webhooks
  if (typeof verifiedBy !== 'object') return context.application()?.webhookSecrets ?? []
  try {
    return await verifiedBy.fetchKeys(context)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const detail = `The keys of ${displayName} cannot be fetched. Send the webhook again.`
    throw new Problem('provider_error', detail)
  }
}
