import type { AuditRequest } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { convertManifest, type ConvertedManifest } from '../../providers/github/convert-manifest.ts'
import { valueOf } from '../../providers/context.ts'
import { github } from '../../providers/github/index.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { ManifestDeps } from './begin-manifest.ts'
import {
  changeProviderApp,
  recordAppEvent,
  type OperatorCaller,
} from '../apps/change-provider-app.ts'
import { manifestLifetimeMs, readManifestState } from './manifest-state.ts'
import { useManifestNonce } from '../apps/provider-app-rows.ts'

/** Why a registration led nowhere. Each has a page that says what to do. */
export type ManifestRefusal =
  | 'signed_out'
  | 'state_invalid'
  | 'state_expired'
  | 'state_used'
  | 'not_operator'
  | 'nothing_made'
  | 'conversion_failed'
  | 'provider_unavailable'

export type FinishedManifest =
  | { readonly outcome: 'registered'; readonly slug: string }
  | { readonly outcome: ManifestRefusal }

export interface FinishManifest {
  readonly code: string | undefined
  readonly state: string | undefined
  readonly cookie: string | undefined
  /** Who is signed in to the browser that came back; `undefined`: nobody. */
  readonly person: UserActor | undefined
  readonly request: AuditRequest
}

const codeForm = /^[A-Za-z0-9_-]{1,200}$/

/** Ends a registration: takes what GitHub made, once, for who began it, in the browser where it began. */
export async function finishManifest(
  deps: ManifestDeps,
  { code, state, cookie, person, request }: FinishManifest,
): Promise<FinishedManifest> {
  if (person === undefined) return { outcome: 'signed_out' }
  const { userId } = person
  const now = deps.now()
  const binding = { userId, cookie: cookie ?? '' }
  const read = readManifestState(deps.stateKey, state ?? '', { binding, now })
  if (read.outcome !== 'valid') return { outcome: `state_${read.outcome}` }
  const caller = { author: toAuthor(person), request }
  if (!(await deps.isOperator(userId))) return refuse(deps, caller, 'not_operator')
  const nonceHash = hashOpaqueToken(read.nonce) ?? Buffer.alloc(0)
  const forgetBefore = new Date(now.getTime() - manifestLifetimeMs)
  const isFirst = await deps.store.maintenance((tx) =>
    useManifestNonce(tx, { nonceHash, now, forgetBefore }),
  )
  if (!isFirst) return refuse(deps, caller, 'state_used')
  if (code === undefined || !codeForm.test(code)) return refuse(deps, caller, 'nothing_made')
  const made = await convert(deps, code)
  if (typeof made === 'string') return refuse(deps, caller, made)
  await keep(deps, caller, made)
  return { outcome: 'registered', slug: made.slug }
}

async function convert(
  { contextOf }: ManifestDeps,
  code: string,
): Promise<ConvertedManifest | ManifestRefusal> {
  try {
    const { addresses, egress, now } = contextOf(github.name)
    const call = { provider: github.name, egress, now }
    return await convertManifest(call, { apiUrl: valueOf(addresses, 'api'), code })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const isOver = error.failure === 'unavailable' || error.failure === 'ambiguous'
    return isOver || error.failure === 'rateLimited' ? 'provider_unavailable' : 'conversion_failed'
  }
}

async function keep(
  deps: ManifestDeps,
  caller: OperatorCaller,
  { webhookSecret, ...values }: ConvertedManifest,
): Promise<void> {
  await changeProviderApp(deps, caller, github, (stored) => ({
    application: { values: { ...values }, hookSecret: webhookSecret, previousSecret: null },
    action: stored === undefined ? 'provider_app.registered' : 'provider_app.changed',
    detail: { origin: 'manifest', appId: values.appId },
  }))
}

async function refuse(
  { store }: ManifestDeps,
  caller: OperatorCaller,
  reason: ManifestRefusal,
): Promise<FinishedManifest> {
  await store.maintenance(async (tx) =>
    recordAppEvent(tx, caller, {
      provider: github,
      action: 'provider_app.callback_refused',
      detail: { reason },
    }),
  )
  return { outcome: reason }
}
