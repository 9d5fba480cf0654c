import { sign, verifySignature } from '../../crypto/sign.ts'

/** Says whose registration it is, and where. */
export interface RegistrationBinding {
  /** The provider's name. */
  readonly provider: string
  readonly userId: string
  /** The half that stays in the browser. */
  readonly cookie: string
}

/** Describes what a state was found to be. */
export type ReadRegistrationState =
  | { readonly outcome: 'valid'; readonly nonce: string }
  | { readonly outcome: 'invalid' | 'expired' }

const form = /^([A-Za-z0-9_-]{43})\.(\d{1,15})\.([A-Za-z0-9_-]{43})$/

/**
 * Renders what goes through the provider and back. Example: `<nonce>.1763784000000.<mac>`. Its signature covers the
 * provider, the person and the browser, none of which it contains, so that it is valid only for these.
 */
export function renderRegistrationState(
  key: Buffer,
  { nonce, issuedAt }: { readonly nonce: string; readonly issuedAt: Date },
  binding: RegistrationBinding,
): string {
  const text = `${nonce}.${issuedAt.getTime()}`
  return `${text}.${sign(key, signed(text, binding))}`
}

/** Reads a state of ours. Whether it was used before is not in it. */
export function readRegistrationState(
  key: Buffer,
  parameter: string,
  {
    binding,
    lifetimeMs,
    now,
  }: {
    readonly binding: RegistrationBinding
    readonly lifetimeMs: number
    readonly now: Date
  },
): ReadRegistrationState {
  const [, nonce = '', issuedAt = '', mac = ''] = form.exec(parameter) ?? []
  if (!verifySignature(key, signed(`${nonce}.${issuedAt}`, binding), mac)) {
    return { outcome: 'invalid' }
  }
  const age = now.getTime() - Number(issuedAt)
  if (age < 0 || age >= lifetimeMs) return { outcome: 'expired' }
  return { outcome: 'valid', nonce }
}

/** Begins with what no other use of the key begins with. */
function signed(text: string, { provider, userId, cookie }: RegistrationBinding): string {
  return `${provider}-manifest|${text}|${userId}|${cookie}`
}
