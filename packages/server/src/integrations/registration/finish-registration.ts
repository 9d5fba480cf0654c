import type { Sender } from '../../audit/caller.ts'
import type { AuditRequest } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import type { RegisteredApplication } from '../../providers/application-registration.ts'
import type { RegisteringProvider } from '../../providers/find-provider.ts'
import type { Provider } from '../../providers/provider.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { changeProviderApp, recordAppEvent } from '../apps/change-provider-app.ts'
import { useManifestNonce } from '../apps/provider-app-rows.ts'
import type { RegistrationDeps } from './begin-registration.ts'
import { readRegistrationState } from './registration-state.ts'

/** Names why a registration led nowhere. Each has a page that says what to do. */
export type RegistrationRejection =
  | 'signed_out'
  | 'state_invalid'
  | 'state_expired'
  | 'state_used'
  | 'not_operator'
  | 'nothing_made'
  | 'conversion_failed'
  | 'provider_unavailable'

/** Says how a registration ended. `name`: as the provider calls the application. */
export type FinishedRegistration =
  | { readonly outcome: 'registered'; readonly name: string }
  | { readonly outcome: RegistrationRejection }

/** Holds what a browser came back with. */
export interface FinishRegistration {
  readonly code: string | undefined
  readonly state: string | undefined
  readonly cookie: string | undefined
  /** The person who is signed in to the browser that came back; `undefined` without one. */
  readonly person: UserActor | undefined
  readonly request: AuditRequest
}

const codeForm = /^[A-Za-z0-9_-]{1,200}$/

/** Finishes a registration: fetches the application that the provider made, once, for the person and browser that began it. */
export async function finishRegistration(
  deps: RegistrationDeps,
  registering: RegisteringProvider,
  { code, state, cookie, person, request }: FinishRegistration,
): Promise<FinishedRegistration> {
  if (person === undefined) return { outcome: 'signed_out' }
  const { provider, registration } = registering
  const { lifetimeMs } = registration
  const { userId } = person
  const now = deps.now()
  const binding = { provider: provider.name, userId, cookie: cookie ?? '' }
  const read = readRegistrationState(deps.stateKey, state ?? '', { binding, lifetimeMs, now })
  if (read.outcome !== 'valid') return { outcome: `state_${read.outcome}` }
  const caller = { author: toAuthor(person), request }
  const refuse = (reason: RegistrationRejection) => recordRejection(deps, caller, provider, reason)
  if (!(await deps.isOperator(person))) return refuse('not_operator')
  const nonceHash = hashOpaqueToken(read.nonce) ?? Buffer.alloc(0)
  const forgetBefore = new Date(now.getTime() - lifetimeMs)
  const isFirst = await deps.store.maintenance((tx) =>
    useManifestNonce(tx, { nonceHash, now, forgetBefore }),
  )
  if (!isFirst) return refuse('state_used')
  if (code === undefined || !codeForm.test(code)) return refuse('nothing_made')
  const made = await take(deps, registering, code)
  if (typeof made === 'string') return refuse(made)
  // The exchange took seconds.
  if (!(await deps.isOperator(person))) return refuse('not_operator')
  await keep(deps, caller, provider, made)
  return { outcome: 'registered', name: made.name }
}

async function take(
  { contextOf }: RegistrationDeps,
  { provider, registration }: RegisteringProvider,
  code: string,
): Promise<RegisteredApplication | RegistrationRejection> {
  try {
    return await registration.finish(contextOf(provider.name), code)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const isOver = error.failure === 'unavailable' || error.failure === 'ambiguous'
    return isOver || error.failure === 'rateLimited' ? 'provider_unavailable' : 'conversion_failed'
  }
}

async function keep(
  deps: RegistrationDeps,
  caller: Sender,
  provider: Provider,
  { values, webhookSecret, identity }: RegisteredApplication,
): Promise<void> {
  await changeProviderApp(deps, caller, provider, (stored) => ({
    application: { values, hookSecret: webhookSecret, previousSecret: null },
    action: stored === undefined ? 'provider_app.registered' : 'provider_app.changed',
    detail: { origin: 'manifest', ...identity },
  }))
}

async function recordRejection(
  { store }: RegistrationDeps,
  caller: Sender,
  provider: Provider,
  reason: RegistrationRejection,
): Promise<FinishedRegistration> {
  await store.maintenance(async (tx) =>
    recordAppEvent(tx, caller, {
      provider,
      action: 'provider_app.callback_refused',
      detail: { reason },
    }),
  )
  return { outcome: reason }
}
