import { parseSignature, renderSignedText, signatureHeader } from '@signalbox/contract'
import type { FetchInit, FetchLike, ResponseLike } from '../client/client-types.ts'
import { ConfigError } from '../config-error.ts'
import type { SnapshotStorage } from '../snapshot-storage.ts'
import { hashText, verifyText } from './ed25519.ts'
import {
  findMismatch,
  findRequestedSnapshot,
  type RequestedSnapshot,
  type SnapshotNames,
} from './requested-snapshot.ts'

/** Describes the parts of a fetch response that are used to verify it. */
export interface TextResponseLike extends ResponseLike {
  text(): Promise<string>
}

/** Describes any `fetch` whose responses can be read as text. */
export type TextFetchLike = (url: string, init: FetchInit) => Promise<TextResponseLike>

/** Describes which publisher keys a client trusts. */
export interface VerifyOptions {
  /**
   * Lists the public keys of the server, as `signalbox publisher-keys` prints them. Two while one replaces the other: a
   * signature by either will do.
   */
  readonly keys: readonly string[]
  /**
   * The id of the organization, `org_…`. Needed by clients that read by names and whose address has the organization's name:
   * a name may belong to anybody, for a server between that lies.
   */
  readonly orgId?: string | undefined
  /**
   * Keeps the newest version that was seen, so that an older one is refused after a restart too. Without it the client
   * remembers until it ends.
   */
  readonly storage?: SnapshotStorage | undefined
  /** Default: that of the platform. */
  readonly fetch?: TextFetchLike | undefined
}

/**
 * Returns a `fetch` for the option of that name, which refuses every snapshot that the server did not sign, that is another than
 * was asked for, or that is older than one seen before. A client then keeps the values that it has, and its status has an error
 * with the code `untrusted`.
 *
 * @example
 * ```ts
 * import { createConfigClient } from '@signalbox/config/client'
 * import { verify } from '@signalbox/config/verify'
 *
 * const client = createConfigClient({
 *   serverUrl: 'https://config.example.com',
 *   token: 'sbx_b2m_…',
 *   schemaId: 'sch_…',
 *   environmentId: 'env_…',
 *   fetch: verify({ keys: ['…'] }),
 * })
 * ```
 *
 * @throws {ConfigError} `invalid` without a key, and for a text that is none.
 */
export function verify(options: VerifyOptions): FetchLike {
  const { keys, storage } = options
  if (keys.length === 0 || !keys.every((key) => /^[\w-]{43}$/.test(key))) {
    throw new ConfigError('invalid', 'The option keys needs public keys of 43 characters')
  }
  const known = createKnownVersions(storage)
  return async (url, init) => {
    const response = await (options.fetch ?? fetch)(url, init)
    const requested = findRequestedSnapshot(url)
    if (!response.ok || requested === undefined) return response
    const text = await response.text()
    const header = response.headers.get(signatureHeader)
    const verified = await readVerified({ ...options, requested, header, text })
    requireAudience(init, url, verified)
    if (requested.version === undefined) {
      const before = known.find(requested.address)
      const replay = before && findReplay(before, verified)
      if (replay !== undefined) throw untrusted(replay)
      known.keep(requested.address, verified)
    }
    const { status, headers } = response
    return { ok: true, status, headers, body: undefined, json: async () => JSON.parse(text) }
  }
}

interface Answer extends Pick<VerifyOptions, 'keys' | 'orgId'> {
  readonly requested: RequestedSnapshot
  readonly header: string | null
  readonly text: string
}

/** Returns what the signature says of a snapshot. @throws {ConfigError} `untrusted` */
async function readVerified({
  keys,
  orgId,
  requested,
  header,
  text,
}: Answer): Promise<KnownVersion> {
  if (header === null) throw untrusted('has no signature')
  const signed = parseSignature(header)
  if (signed === undefined) throw untrusted('has a signature that cannot be read')
  const key = keys.find((each) => signed.signatures.has(each.slice(0, 8)))
  const signature = signed.signatures.get(key?.slice(0, 8) ?? '')
  if (key === undefined || signature === undefined) {
    throw untrusted('is signed by another key')
  }
  const names = parseNames(text)
  const sha256 = await hashText(text)
  const snapshot = { ...signed, ...names }
  if (!(await isSignedBy(key, signature, renderSignedText(snapshot, sha256)))) {
    throw untrusted('was changed on the way')
  }
  requireOrganization(orgId ?? requested.orgId, signed.orgId)
  const other = findMismatch(requested, names)
  if (other !== undefined) throw untrusted(`is of ${other}`)
  const { audience, epoch, publishedAtMs } = signed
  const { schemaId, environmentId, version } = names
  return { audience, schemaId, environmentId, epoch, version, publishedAtMs, sha256 }
}

function parseNames(text: string): SnapshotNames {
  try {
    const names: unknown = JSON.parse(text)
    if (isNamed(names)) return names
  } catch {
    // Refused below.
  }
  throw untrusted('is no snapshot')
}

function isNamed(value: unknown): value is SnapshotNames {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['schemaId', 'schema', 'environmentId', 'environment'].every(
      (name) => typeof Reflect.get(value, name) === 'string',
    ) &&
    typeof Reflect.get(value, 'version') === 'number'
  )
}

async function isSignedBy(key: string, signature: string, text: string): Promise<boolean> {
  try {
    return await verifyText(key, signature, text)
  } catch (cause) {
    throw new ConfigError('untrusted', 'This platform cannot verify Ed25519 signatures', { cause })
  }
}

function requireOrganization(expected: string | undefined, is: string): void {
  // Ids of schemas and environments belong to one organization.
  if (expected === undefined || expected === is) return
  if (expected.startsWith('org_')) throw untrusted(`is of the organization ${is}`)
  throw new ConfigError('invalid', 'Give verify() the option orgId, because names can be anybody’s')
}

/** Refuses a snapshot for browsers where a server key asks: it lacks the secrets, and its versions count differently. */
function requireAudience({ headers }: FetchInit, url: string, { audience }: KnownVersion): void {
  const token = headers?.['authorization'] ?? new URL(url).searchParams.get('apiKey') ?? ''
  const kind = /sbx_(b2m|m2m)_/.exec(token)?.[1]
  // An access token does not say what it was made from.
  if (kind === undefined) return
  const expected = kind === 'm2m' ? 'server' : 'browser'
  if (audience !== expected) throw untrusted(`is for a ${audience}, not for a ${expected}`)
}

function untrusted(violation: string): ConfigError {
  return new ConfigError('untrusted', `The snapshot ${violation}`)
}

/** Describes the newest snapshot that was verified at an address. */
interface KnownVersion {
  readonly audience: string
  readonly schemaId: string
  readonly environmentId: string
  readonly epoch: number
  readonly version: number
  readonly publishedAtMs: number
  readonly sha256: string
}

const nameOf = (address: string) => `signalbox verified ${address}`

/** Creates a memory, which outlives the process where there is a storage. */
function createKnownVersions(storage: SnapshotStorage | undefined) {
  const held = new Map<string, KnownVersion>()
  const read = (address: string): KnownVersion | undefined => {
    try {
      const known: unknown = JSON.parse(storage?.getItem(nameOf(address)) ?? 'null')
      return isKnownVersion(known) ? known : undefined
    } catch {
      // A storage that fails protects no longer than the process.
      return undefined
    }
  }
  return {
    find: (address: string) => held.get(address) ?? read(address),
    keep(address: string, known: KnownVersion): void {
      held.set(address, known)
      void (async () => storage?.setItem(nameOf(address), JSON.stringify(known)))().catch(() => {})
    },
  }
}

function isKnownVersion(value: unknown): value is KnownVersion {
  if (typeof value !== 'object' || value === null) return false
  return 'epoch' in value && 'version' in value && 'sha256' in value && 'publishedAtMs' in value
}

/**
 * Returns what is wrong with a verified snapshot, compared with what was known at its address: it is older, it is for the other
 * audience, or it has other content under the same version.
 */
function findReplay(known: KnownVersion, is: KnownVersion): string | undefined {
  if (known.audience !== is.audience) return `is for a ${is.audience}, not for a ${known.audience}`
  const isSameTarget = known.schemaId === is.schemaId && known.environmentId === is.environmentId
  // Versions of another environment count separately. It took over the name, so it was published later.
  if (!isSameTarget) return is.publishedAtMs < known.publishedAtMs ? older(known, is) : undefined
  if (is.epoch < known.epoch) return older(known, is)
  if (is.epoch > known.epoch) return undefined
  if (is.version < known.version) return older(known, is)
  if (is.version === known.version && is.sha256 !== known.sha256) {
    return `has other content than version ${known.version} had before`
  }
  return undefined
}

const older = (known: KnownVersion, is: KnownVersion) =>
  `is version ${is.version}, older than ${known.version}, which is known`
