import { createEgress, type Egress } from '../../egress/create-egress.ts'
import type { Kit } from '../../kit.ts'
import type { ContextOf } from '../../providers/context.ts'
import { applicationOwnerOf, isAddressed } from '../../providers/find-provider.ts'
import { createServerKeys, type ServerKeys } from '../../vault/server-keys.ts'
import { createProviderApps, type ProviderAppsFeed } from './create-provider-apps.ts'

/** Holds what reaches the providers, and the applications of this server there. */
export interface OpenProviderApps {
  readonly contextOf: ContextOf
  readonly egress: Egress
  readonly feed: ProviderAppsFeed
  readonly serverKeys: ServerKeys
}

/** Opens the connection to the outside, with the applications that are registered by now. */
export async function openProviderApps(kit: Kit): Promise<OpenProviderApps> {
  const { store, rootKeys, settings, closing, log, now } = kit
  const egress = createEgress({ allow: settings.egressAllow })
  closing.push(() => egress.close())
  const serverKeys = createServerKeys({ rootKeys })
  const { addresses, applications } = settings.providers
  const feed = createProviderApps({ store, keys: serverKeys, settings: applications, log, now })
  closing.push(() => feed.close())
  await feed.refresh()
  const contextOf: ContextOf = (provider) => {
    const owner = applicationOwnerOf(provider)
    const reach = { addresses: addresses[owner] ?? {}, egress, now }
    return {
      ...reach,
      application: () => (isAddressed(owner, reach) ? feed.find(owner) : undefined),
    }
  }
  return { contextOf, egress, feed, serverKeys }
}
