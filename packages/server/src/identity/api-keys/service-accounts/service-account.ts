import { createPublicKey } from 'node:crypto'
import type { ApiKeyKind, ProblemLocation } from '@signalbox/contract'

/** Describes a service account of Kubernetes, pinned to an API key: its tokens are exchanged for the key's access tokens. */
export interface ServiceAccount {
  /** Holds the `iss` of its tokens: `--service-account-issuer` of the cluster. */
  readonly issuer: string
  readonly namespace: string
  readonly name: string
  /** Holds the public keys of the cluster; `null`: they are read at the issuer's address. */
  readonly keys: JwkSet | null
}

/** Describes public keys (RFC 7517 §5). */
export interface JwkSet {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/** Describes a service account as a request gives it. */
export interface GivenServiceAccount {
  readonly issuer: string
  readonly namespace: string
  readonly name: string
  readonly keys?: JwkSet | null | undefined
}

/** Lists the members of a public key that are stored. A private key has further members. */
const publicMembers = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'] as const
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const
const shortestRsaBits = 2048
/** With 1 everybody could sign. */
const smallestRsaExponent = 65_537n

/** Returns the `sub` of a service account's tokens. */
export function subjectOf({ namespace, name }: Pick<ServiceAccount, 'namespace' | 'name'>): string {
  return `system:serviceaccount:${namespace}:${name}`
}

/** Returns in words who may exchange tokens, for the audit trail. Example: `shop/web of https://oidc.example.com`. */
export function describeServiceAccounts(accounts: readonly ServiceAccount[]): string[] {
  return accounts.map(({ namespace, name, issuer }) => `${namespace}/${name} of ${issuer}`)
}

/** Returns the violations of service accounts that no key can have, each with its place. No detail repeats a key. */
export function findServiceAccountViolations(
  kind: ApiKeyKind,
  accounts: readonly GivenServiceAccount[],
): ProblemLocation[] {
  if (kind !== 'm2m' && accounts.length > 0) {
    return [violationAt('', 'Only server keys (m2m) have service accounts.')]
  }
  return accounts.flatMap(({ issuer, keys }, index) => [
    ...(isIssuer(issuer)
      ? []
      : [
          violationAt(
            `/${index}/issuer`,
            'Use the issuer of the cluster, such as https://oidc.example.com/id/1.',
          ),
        ]),
    ...(keys?.keys ?? []).flatMap((key, at) => {
      const violation = findKeyViolation(key)
      return violation === undefined ? [] : [violationAt(`/${index}/keys/keys/${at}`, violation)]
    }),
  ])
}

/** Returns service accounts as they are stored: of each key only its public members. */
export function toServiceAccounts(accounts: readonly GivenServiceAccount[]): ServiceAccount[] {
  return accounts.map(({ issuer, namespace, name, keys }) => ({
    issuer,
    namespace,
    name,
    keys: keys === undefined || keys === null ? null : { keys: keys.keys.map(toPublic) },
  }))
}

function toPublic(key: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    publicMembers.flatMap((member) => (key[member] === undefined ? [] : [[member, key[member]]])),
  )
}

function isIssuer(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, search, hash, username } = new URL(issuer)
  return /^https?:$/.test(protocol) && search + hash + username === ''
}

function findKeyViolation(key: Readonly<Record<string, unknown>>): string | undefined {
  if (secretMembers.some((member) => key[member] !== undefined)) {
    return 'This is a private or shared key. Paste the public keys: kubectl get --raw /openid/v1/jwks'
  }
  try {
    const imported = createPublicKey({ key: toPublic(key), format: 'jwk' })
    const { modulusLength: bits, publicExponent: exponent } = imported.asymmetricKeyDetails ?? {}
    if (exponent !== undefined && (exponent < smallestRsaExponent || exponent % 2n === 0n)) {
      return `An RSA key needs the exponent ${smallestRsaExponent} or a larger odd one.`
    }
    if (bits !== undefined && bits < shortestRsaBits) {
      return `An RSA key needs ${shortestRsaBits} bits or more.`
    }
    return undefined
  } catch {
    return 'This is no public key (JWK). Paste what this prints: kubectl get --raw /openid/v1/jwks'
  }
}

function violationAt(path: string, detail: string): ProblemLocation {
  return { pointer: `/serviceAccounts${path}`, code: 'validation_failed', detail }
}
