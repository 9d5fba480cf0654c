import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** Describes an Actions secret. GitHub never shows its value again; this sandbox keeps the sealed box. */
export interface GithubSecret {
  readonly name: string
  /** Holds the sealed box as it arrived, Base64. */
  encryptedValue: string
  readonly createdAt: Date
  updatedAt: Date
}

/** Describes an Actions variable. */
export interface GithubVariable {
  readonly name: string
  value: string
  readonly createdAt: Date
  updatedAt: Date
}

/** Holds the secrets and variables of a repository or an environment, with the key pair that secrets are sealed for. */
export interface ActionsVault {
  readonly keyId: string
  /** Holds 32 bytes, Base64. */
  readonly publicKey: string
  /** Holds 32 bytes, Base64. Tests open the boxes with it. */
  readonly privateKey: string
  /** By name in capital letters, as GitHub stores them. */
  readonly secrets: Map<string, GithubSecret>
  readonly variables: Map<string, GithubVariable>
}

/** Creates an empty vault with a key pair of its own. */
export function createActionsVault(): ActionsVault {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    keyId: String(randomBytes(8).readBigUInt64BE()),
    publicKey: toBase64(publicKey.export({ format: 'jwk' }).x),
    privateKey: toBase64(privateKey.export({ format: 'jwk' }).d),
    secrets: new Map(),
    variables: new Map(),
  }
}

function toBase64(text: string | undefined): string {
  return Buffer.from(text ?? '', 'base64url').toString('base64')
}
