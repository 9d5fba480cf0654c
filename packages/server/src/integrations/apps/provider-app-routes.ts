import { toSender } from '../../audit/caller.ts'
import { providerAppEndpoints as endpoints } from '@signalbox/contract/rest'
import { notFound } from '../../http/answers/problem-response.ts'
import { applicationOwnerOf, findProvider, isAddressed } from '../../providers/find-provider.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Router } from '../../http/router.ts'
import type { ProviderAppDeps } from './change-provider-app.ts'
import { deleteProviderApp } from './delete-provider-app.ts'
import { endPreviousSecret } from './end-previous-secret.ts'
import { listProviderApps } from './list-provider-apps.ts'
import { presentProviderApp } from './present-provider-app.ts'
import { saveProviderApp } from './save-provider-app.ts'

/** Mounts the endpoints with which operators manage the server's applications at the providers. */
export function mountProviderApps(router: Router, deps: ProviderAppDeps): void {
  router
    .add(endpoints.listProviderApps, {
      handle: () => listProviderApps(deps),
      present: (items) => ({ items: items.map((app) => presentProviderApp(deps, app)) }),
    })
    .add(endpoints.saveProviderApp, {
      handle: (request) => {
        const provider = parseProvider(deps, request.params.provider)
        return saveProviderApp(deps, toSender(request), { provider, body: request.body })
      },
      present: (app) => presentProviderApp(deps, app),
    })
    .add(endpoints.deleteProviderApp, {
      handle: (request) =>
        deleteProviderApp(deps, toSender(request), parseProvider(deps, request.params.provider)),
    })
    .add(endpoints.endPreviousSecret, {
      handle: (request) =>
        endPreviousSecret(deps, toSender(request), parseProvider(deps, request.params.provider)),
    })
}

/** @throws {Problem} `not_found` */
function parseProvider({ contextOf }: ProviderAppDeps, text: string): Provider {
  const provider = findProvider(text)
  if (provider === undefined || applicationOwnerOf(text) !== text) throw notFound()
  if (!isAddressed(text, contextOf(text))) throw notFound()
  return provider
}
