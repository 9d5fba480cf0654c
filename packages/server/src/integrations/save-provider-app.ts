import { Problem } from '@signalbox/contract'
import type { IntegrationProvider } from '@signalbox/contract/rest'
import {
  changeProviderApp,
  type OperatorCaller,
  type ProviderAppDeps,
} from './change-provider-app.ts'
import type { ShownApp } from './present-provider-app.ts'
import { mergeApp, type GivenApp } from './provider-app.ts'

/**
 * Stores an application as somebody entered it.
 *
 * @throws {Problem} `validation_failed`, `sealed`
 */
export async function saveProviderApp(
  deps: ProviderAppDeps,
  caller: OperatorCaller,
  { provider, given }: { readonly provider: IntegrationProvider; readonly given: GivenApp },
): Promise<ShownApp> {
  if (given.provider !== provider) {
    const detail = `The address says ${provider}. Say the same here.`
    throw new Problem('validation_failed', detail, {
      errors: [{ pointer: '/provider', code: 'validation_failed', detail }],
    })
  }
  return changeProviderApp(deps, caller, provider, (stored) => {
    const merged = mergeApp(given, stored, deps.now())
    if ('places' in merged) {
      const detail = 'Some of what the application needs is missing or wrong.'
      throw new Problem('validation_failed', detail, { errors: merged.places })
    }
    const { app, changed } = merged
    const action = stored === undefined ? 'provider_app.registered' : 'provider_app.changed'
    return { app, action, detail: { origin: 'entered', changed } }
  })
}
