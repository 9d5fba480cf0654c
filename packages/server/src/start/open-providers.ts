import { createEgress, type Egress } from '../egress/create-egress.ts'
import {
  createProviderApps,
  type ProviderAppsFeed,
} from '../integrations/apps/create-provider-apps.ts'
import type { ContextOf } from '../providers/context.ts'
import { createServerKeys, type ServerKeys } from '../vault/server-keys.ts'
import type { Resources } from './resources.ts'

/** Holds what reaches the providers, and what is known of our applications there. */
export interface OpenedProviders {
  readonly contextOf: ContextOf
  readonly egress: Egress
  readonly feed: ProviderAppsFeed
  readonly serverKeys: ServerKeys
}

/** Opens the way out, with the applications that are registered by now. */
export async function openProviders(resources: Resources): Promise<OpenedProviders> {
  const { store, rootKeys, settings, closing, log, now } = resources
  const egress = createEgress({ allow: settings.egressAllow })
  closing.push(() => egress.close())
  const serverKeys = createServerKeys({ rootKeys })
  const { addresses, applications } = settings.providers
  const feed = createProviderApps({ store, keys: serverKeys, settings: applications, log, now })
  closing.push(() => feed.close())
  await feed.refresh()
  const contextOf: ContextOf = (provider) => ({
    addresses: addresses[provider] ?? {},
    application: () => feed.find(provider),
    egress,
    now,
  })
  return { contextOf, egress, feed, serverKeys }
}
