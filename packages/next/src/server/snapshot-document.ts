import { ConfigError, type ConfigErrorCode } from '@signalbox/config/client'

/** Describes a value of a key. */
export type ConfigValue =
  | string
  | number
  | boolean
  | Readonly<Record<string, unknown>>
  | readonly unknown[]

/** Describes the members of a snapshot's JSON that are used. */
export interface SnapshotDocument {
  readonly version: number
  readonly schemaId: string
  readonly environmentId: string
  readonly public: Readonly<Record<string, ConfigValue>>
  readonly featureFlags: Readonly<Record<string, boolean>>
  readonly secret?: Readonly<Record<string, ConfigValue>>
  /** Holds the time of the server's response in ISO 8601. A cache may have kept it for long. */
  readonly fetchedAt?: string
}

const codes: Readonly<Record<number, ConfigErrorCode>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
}

/**
 * Reads the response to a request for the snapshot of `names`.
 *
 * @throws {ConfigError} `invalid` when it is something else; otherwise the code of the status, with the server's own
 * words.
 */
export async function readSnapshot(response: Response, names: string): Promise<SnapshotDocument> {
  // The server says the same to everyone, so that nobody finds out what others have.
  if (response.status === 404) {
    throw new ConfigError(
      'not_found',
      `There is no ${names}, or the key belongs to another organization. If the schema is new, run "signalbox push"`,
    )
  }
  if (!response.ok) {
    const code = codes[response.status] ?? 'unreachable'
    throw new ConfigError(code, `HTTP ${response.status}${await detailOf(response)}`)
  }
  const document: unknown = await response.json().catch((cause: unknown) => {
    throw cause instanceof SyntaxError ? notASnapshot() : cause
  })
  if (!isSnapshot(document)) throw notASnapshot()
  const answeredAt = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(answeredAt)) return document
  return { ...document, fetchedAt: new Date(answeredAt).toISOString() }
}

function notASnapshot(): ConfigError {
  return new ConfigError('invalid', 'Another program answers instead of Signalbox')
}

function isSnapshot(it: unknown): it is SnapshotDocument {
  return (
    isObject(it) &&
    typeof it['version'] === 'number' &&
    typeof it['schemaId'] === 'string' &&
    typeof it['environmentId'] === 'string' &&
    isObject(it['public']) &&
    isObject(it['featureFlags'])
  )
}

function isObject(it: unknown): it is Readonly<Record<string, unknown>> {
  return typeof it === 'object' && it !== null
}

/** Returns the detail of a problem document. */
async function detailOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return ''
  const problem: unknown = await response.json().catch(() => undefined)
  return isObject(problem) && typeof problem['detail'] === 'string' ? `: ${problem['detail']}` : ''
}
