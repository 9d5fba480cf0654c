import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import type { Authenticate } from '../../identity/authenticate.ts'
import type { RegistrationForm } from '../../providers/application-registration.ts'
import { webhookUrl, type RegisteringProvider } from '../../providers/find-provider.ts'
import type { ProviderAppDeps } from '../apps/change-provider-app.ts'
import { callbackUrl } from '../integration-deps.ts'
import { renderRegistrationState } from './registration-state.ts'

/** Describes what registering an application works with. */
export interface RegistrationDeps extends ProviderAppDeps {
  /** Signs state parameters; every node must have it alike. */
  readonly stateKey: Buffer
  readonly authenticate: Authenticate
  readonly isOperator: (actor: UserActor) => Promise<boolean>
}

/** Holds a registration that was begun: the form, which goes to the provider with the state in it. */
export interface StartedRegistration extends RegistrationForm {
  readonly state: string
  /** The value of the browser's cookie: only this browser can finish the registration. */
  readonly cookie: string
}

/** Begins a registration. Nothing is stored: the state says all there is to know, and only its end is noted. */
export function beginRegistration(
  deps: RegistrationDeps,
  { provider, registration }: RegisteringProvider,
  { userId, organization }: { readonly userId: string; readonly organization: string | undefined },
): StartedRegistration {
  const { name, kind } = provider
  const cookie = newOpaqueToken().token
  const nonce = newOpaqueToken().token
  const binding = { provider: name, userId, cookie }
  const state = renderRegistrationState(deps.stateKey, { nonce, issuedAt: deps.now() }, binding)
  const publicUrl = deps.publicUrl()
  const form = registration.begin(deps.contextOf(name), {
    publicUrl,
    callbackUrl: callbackUrl(deps, kind),
    webhookUrl: webhookUrl(provider, publicUrl),
    returnUrl: `${publicUrl}/server/provider-apps/${name}/manifest/callback`,
    state,
    account: organization,
  })
  return { ...form, state, cookie }
}
