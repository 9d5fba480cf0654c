import type { Sender } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import { validateBody } from '../../http/input/validate.ts'
import type { Provider } from '../../providers/provider.ts'
import { changeProviderApp, type ProviderAppDeps } from './change-provider-app.ts'
import {
  formOf,
  listMissingSecrets,
  mergeApplication,
  type GivenApplication,
} from './merge-application.ts'
import type { ShownApp } from './present-provider-app.ts'
import type { StoredApplication } from './stored-application.ts'

/**
 * Stores an application as a person entered it.
 *
 * @throws {Problem} `validation_failed`, `sealed`
 */
export async function saveProviderApp(
  deps: ProviderAppDeps,
  caller: Sender,
  { provider, body }: { readonly provider: Provider; readonly body: GivenApplication },
): Promise<ShownApp> {
  if (body.provider !== provider.name) {
    const detail = `The URL names ${provider.name}. Send the same name here.`
    throw new Problem('validation_failed', detail, {
      errors: [{ pointer: '/provider', code: 'validation_failed', detail }],
    })
  }
  return changeProviderApp(deps, caller, provider, (stored) => {
    const input = readInput(provider, body, stored)
    const merged = mergeApplication(provider, input, { stored, now: deps.now() })
    if ('errors' in merged) {
      const detail = 'Some fields of the application are missing or wrong.'
      throw new Problem('validation_failed', detail, { errors: merged.errors })
    }
    const { application, changed } = merged
    const action = stored === undefined ? 'provider_app.registered' : 'provider_app.changed'
    return { application, action, detail: { origin: 'entered', changed } }
  })
}

/** Validates what a person entered. Every field that lacks a value is named at once, secrets included. */
function readInput(
  provider: Provider,
  body: GivenApplication,
  stored: StoredApplication | undefined,
): GivenApplication {
  try {
    return validateBody(formOf(provider), body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = [...(error.errors ?? []), ...listMissingSecrets(provider, body, stored)]
    throw new Problem(error.code, error.message, { errors })
  }
}
