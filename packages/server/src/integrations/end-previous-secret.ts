import type { IntegrationProvider } from '@signalbox/contract/rest'
import { notFound } from '../http/problem-response.ts'
import {
  changeProviderApp,
  type OperatorCaller,
  type ProviderAppDeps,
} from './change-provider-app.ts'
import { endPrevious } from './provider-app.ts'

/** Ends the secret that was replaced, because the new one is known to work. @throws {Problem} `not_found`, `sealed` */
export async function endPreviousSecret(
  deps: ProviderAppDeps,
  caller: OperatorCaller,
  provider: IntegrationProvider,
): Promise<void> {
  await changeProviderApp(deps, caller, provider, (stored) => {
    const app = stored && endPrevious(stored)
    if (app === undefined) throw notFound()
    return { app, action: 'provider_app.previous_secret_ended' }
  })
}
