import {
  isSignedBy,
  renderSignatures,
  signText,
  type PublisherKey,
} from '../crypto/publisher-key.ts'

/** Describes a text and its signatures, as they travel: `dGhlIGtl=MEUCIQ…`, one for each key, with a space between. */
export interface Signed {
  readonly text: string
  readonly signatures: string
}

const pattern = /^[\w-]{8}=[\w-]{85}[AQgw](?: [\w-]{8}=[\w-]{85}[AQgw]){0,3}$/

/** Signs a text with each key. */
export function signAs(keys: readonly PublisherKey[], text: string): Signed {
  return { text, signatures: renderSignatures(signText(keys, text)) }
}

/** Returns whether a key that is trusted has signed the text. */
export function isSigned(publicKeys: readonly string[], { text, signatures }: Signed): boolean {
  if (!pattern.test(signatures)) return false
  const byKey = signatures.split(' ').map((each) => [each.slice(0, 8), each.slice(9)] as const)
  return isSignedBy(publicKeys, text, new Map(byKey))
}
