import type { Sender } from '../../audit/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Provider } from '../../providers/provider.ts'
import { publishApps, recordAppEvent, type ProviderAppDeps } from './change-provider-app.ts'
import { deleteProviderAppRow } from './provider-app-rows.ts'

/** Deletes a stored application. @throws {Problem} `not_found` */
export async function deleteProviderApp(
  deps: ProviderAppDeps,
  caller: Sender,
  provider: Provider,
): Promise<void> {
  await deps.store.maintenance(async (tx) => {
    if (!(await deleteProviderAppRow(tx, provider.name))) throw notFound()
    recordAppEvent(tx, caller, { provider, action: 'provider_app.deleted' })
  })
  await publishApps(deps)
}
