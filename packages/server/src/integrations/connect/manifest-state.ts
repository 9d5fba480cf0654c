import { sign, verifySignature } from '../../crypto/sign.ts'

/** GitHub gives a registration an hour from the page to the end. */
export const manifestLifetimeMs = 3600 * 1000

/** Whose registration it is. */
export interface ManifestBinding {
  readonly userId: string
  /** The half that stays in the browser. */
  readonly cookie: string
}

export type ReadManifestState =
  | { readonly outcome: 'valid'; readonly nonce: string }
  | { readonly outcome: 'invalid' | 'expired' }

const form = /^([A-Za-z0-9_-]{43})\.(\d{1,15})\.([A-Za-z0-9_-]{43})$/

/**
 * What goes through GitHub and back. Example: `<nonce>.1763784000000.<mac>`. Signed together with the person and the
 * browser, neither of which is in it: it is good for these two alone.
 */
export function renderManifestState(
  key: Buffer,
  { nonce, issuedAt }: { readonly nonce: string; readonly issuedAt: Date },
  binding: ManifestBinding,
): string {
  const text = `${nonce}.${issuedAt.getTime()}`
  return `${text}.${sign(key, signed(text, binding))}`
}

/** Reads a state of ours. Whether it was used before is not in it. */
export function readManifestState(
  key: Buffer,
  given: string,
  { binding, now }: { readonly binding: ManifestBinding; readonly now: Date },
): ReadManifestState {
  const [, nonce = '', issuedAt = '', mac = ''] = form.exec(given) ?? []
  if (!verifySignature(key, signed(`${nonce}.${issuedAt}`, binding), mac)) {
    return { outcome: 'invalid' }
  }
  const age = now.getTime() - Number(issuedAt)
  if (age < 0 || age >= manifestLifetimeMs) return { outcome: 'expired' }
  return { outcome: 'valid', nonce }
}

/** Begins with what no other use of the key begins with. */
function signed(text: string, { userId, cookie }: ManifestBinding): string {
  return `github-manifest|${text}|${userId}|${cookie}`
}
