import { allProviders, applicationOwnerOf, isAddressed } from '../../providers/find-provider.ts'
import type { ProviderAppDeps } from './change-provider-app.ts'
import type { ShownApp } from './present-provider-app.ts'
import { listProviderAppRows } from './provider-app-rows.ts'
import { findApp } from './sealed-app.ts'

/** Returns the state of the application at each provider. @throws {Problem} `sealed` */
export async function listProviderApps({
  store,
  keys,
  contextOf,
}: Pick<ProviderAppDeps, 'store' | 'keys' | 'contextOf'>): Promise<ShownApp[]> {
  return store.maintenance(async (tx) => {
    const rows = await listProviderAppRows(tx)
    const sealer = rows.length === 0 ? undefined : await keys.getSealer(tx)
    const owners = allProviders.filter(
      ({ name }) => applicationOwnerOf(name) === name && isAddressed(name, contextOf(name)),
    )
    return owners.map((provider) => {
      const row = rows.find((each) => each.provider === provider.name)
      return { provider, row, application: sealer && findApp(sealer, provider, row) }
    })
  })
}
