/**
 * Seals a secret for GitHub: a sealed box of libsodium for the public key, as Base64. libsodium is loaded with the first secret.
 *
 * @see https://docs.github.com/en/rest/guides/encrypting-secrets-for-the-rest-api
 */
export async function sealSecret(publicKey: string, secret: string): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const sealed = sodium.crypto_box_seal(
    Buffer.from(secret, 'utf8'),
    new Uint8Array(Buffer.from(publicKey, 'base64')),
  )
  return Buffer.from(sealed).toString('base64')
}
