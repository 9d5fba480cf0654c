import type { Authenticate } from '../../identity/authenticate.ts'
import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { ProviderAppDeps } from '../apps/change-provider-app.ts'
import { renderManifest } from './github-manifest.ts'
import { renderManifestState } from './manifest-state.ts'
import { valueOf } from '../../providers/context.ts'

export interface ManifestDeps extends ProviderAppDeps {
  /** Signs state parameters; every node must have it alike. */
  readonly stateKey: Buffer
  readonly authenticate: Authenticate
  readonly isOperator: (userId: string) => Promise<boolean>
}

export interface StartedManifest {
  /** Where the form goes, with the state. */
  readonly action: string
  /** JSON. */
  readonly manifest: string
  readonly state: string
  /** Goes into the browser's cookie: the answer is taken from this browser alone. */
  readonly cookie: string
}

/** Begins a registration. Nothing is stored: the state says all there is to know, and only its end is noted. */
export function beginManifest(
  { stateKey, publicUrl, contextOf, now }: ManifestDeps,
  { userId, organization }: { readonly userId: string; readonly organization: string | undefined },
): StartedManifest {
  const cookie = newOpaqueToken().token
  const nonce = newOpaqueToken().token
  const state = renderManifestState(stateKey, { nonce, issuedAt: now() }, { userId, cookie })
  const account =
    organization === undefined ? '' : `/organizations/${encodeURIComponent(organization)}`
  const query = new URLSearchParams({ state }).toString()
  return {
    action: `${valueOf(contextOf('github').addresses, 'web')}${account}/settings/apps/new?${query}`,
    manifest: JSON.stringify(renderManifest(publicUrl())),
    state,
    cookie,
  }
}
