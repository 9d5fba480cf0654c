import { createEgress, type Egress } from '../egress/create-egress.ts'
import { createProviderApps, type ProviderAppsFeed } from '../integrations/create-provider-apps.ts'
import type { ProviderGate } from '../integrations/provider-apps.ts'
import { createServerKeys, type ServerKeys } from '../vault/server-keys.ts'
import type { Opened } from './start-with-database.ts'

/** What reaches the providers, and what is known of our applications there. */
export interface OpenedGate {
  readonly gate: ProviderGate
  readonly egress: Egress
  readonly feed: ProviderAppsFeed
  readonly serverKeys: ServerKeys
}

/** Opens the way out, with the applications that are registered by now. */
export async function openProviderGate(opened: Opened): Promise<OpenedGate> {
  const { store, rootKeys, settings, closing, log, now } = opened
  const egress = createEgress({ allow: settings.egressAllow })
  closing.push(() => egress.close())
  const serverKeys = createServerKeys({ rootKeys })
  const { addresses, ...apps } = settings.providers
  const feed = createProviderApps({ store, keys: serverKeys, settings: apps, log, now })
  closing.push(() => feed.close())
  await feed.refresh()
  return { gate: { addresses, apps: () => feed.apps(), egress, now }, egress, feed, serverKeys }
}
