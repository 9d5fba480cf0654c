/** Returns the bytes of base64url text. */
function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function toBase64url(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Returns the SHA-256 of a text, as base64url. */
export async function hashText(text: string): Promise<string> {
  return toBase64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/**
 * Returns whether the key made the signature of the text. Rejects where the platform has no Ed25519: Chrome before 137, Firefox
 * before 129, Safari before 17.
 */
export async function verifyText(
  publicKey: string,
  signature: string,
  text: string,
): Promise<boolean> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey }
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, toBytes(signature), new TextEncoder().encode(text))
}
