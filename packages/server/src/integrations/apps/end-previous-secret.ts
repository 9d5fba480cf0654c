import type { Sender } from '../../audit/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Provider } from '../../providers/provider.ts'
import { changeProviderApp, type ProviderAppDeps } from './change-provider-app.ts'
import { endPrevious } from './stored-application.ts'

/** Ends the secret that was replaced, because the new one is known to work. @throws {Problem} `not_found`, `sealed` */
export async function endPreviousSecret(
  deps: ProviderAppDeps,
  caller: Sender,
  provider: Provider,
): Promise<void> {
  await changeProviderApp(deps, caller, provider, (stored) => {
    const application = stored && endPrevious(stored)
    if (application === undefined) throw notFound()
    return { application, action: 'provider_app.previous_secret_ended' }
  })
}
