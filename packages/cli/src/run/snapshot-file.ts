import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isConfigValue, type ConfigValue } from '@signalbox/contract'
import { isRecord, parseJsonObject } from '../project/json.ts'
import { writeFileAtomically } from '../project/write-file.ts'
import { deriveKey, type SnapshotKey, saltBytes } from './snapshot-key.ts'

/** Describes the values that were last read, with their time. */
export interface RunSnapshot {
  readonly schemaId: string
  readonly environmentId: string
  /** Holds the address that applications read. */
  readonly configUrl: string
  readonly fetchedAt: string
  readonly version: number
  readonly values: Readonly<Record<string, ConfigValue>>
  /** Lists the keys that are secrets, whose variables get no prefix. */
  readonly secrets: readonly string[]
  /** Maps keys to the variables that the definition names. */
  readonly variables: Readonly<Record<string, string>>
}

/** Identifies a snapshot by the names of its source. It is encrypted with the values. */
export interface SnapshotSubject {
  readonly organization: string | undefined
  readonly schema: string | undefined
  readonly environment: string
}

export type OpenedSnapshot =
  | { readonly state: 'opened'; readonly snapshot: RunSnapshot }
  | { readonly state: 'missing' }
  /** The key is wrong, or the file was changed. Both look the same. */
  | { readonly state: 'sealed' }
  /** The snapshot belongs to another source. */
  | { readonly state: 'foreign'; readonly of: string }

const ivBytes = 12
const tagBytes = 16

/** Returns the path of an environment's stored snapshot: `$XDG_CACHE_HOME/signalbox/run/`, by default below `~/.cache`. */
export function snapshotPath(
  env: Readonly<Partial<Record<string, string>>>,
  parts: readonly (string | undefined)[],
): string {
  const context = JSON.stringify(parts.map((part) => part ?? null))
  const name = createHash('sha256').update(context).digest('hex').slice(0, 32)
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(cache, 'signalbox', 'run', `${name}.sealed`)
}

/** Keeps a snapshot, sealed with AES-256-GCM, for its owner alone. */
export async function writeSnapshot(
  path: string,
  key: SnapshotKey,
  subject: SnapshotSubject,
  snapshot: RunSnapshot,
): Promise<void> {
  const salt = randomBytes(saltBytes)
  const iv = randomBytes(ivBytes)
  const header = Buffer.from([formats[key.kind]])
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(key, salt), iv, {
    authTagLength: tagBytes,
  })
  cipher.setAAD(header)
  const text = JSON.stringify({ ...snapshot, subject })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const whole = Buffer.concat([header, salt, iv, sealed, cipher.getAuthTag()])
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFileAtomically(path, whole.toString('base64'), 0o600)
}

/** Maps the kind of key to the first byte of the file. */
const formats = { token: 2, passphrase: 3 } as const satisfies Record<SnapshotKey['kind'], number>

/** Opens what was kept, if it is of `subject`. */
export async function readSnapshot(
  path: string,
  key: SnapshotKey,
  subject: SnapshotSubject,
): Promise<OpenedSnapshot> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return { state: 'missing' }
  const plain = await open(Buffer.from(text, 'base64'), key)
  if (plain === undefined) return { state: 'sealed' }
  const parsed = parseJsonObject(plain)
  const of = isRecord(parsed?.['subject']) ? parsed['subject'] : {}
  const difference = differenceOf(subject, of)
  if (difference !== undefined) return { state: 'foreign', of: difference }
  const snapshot = parseSnapshot(parsed)
  return snapshot === undefined ? { state: 'sealed' } : { state: 'opened', snapshot }
}

async function open(whole: Buffer, key: SnapshotKey): Promise<string | undefined> {
  const salt = whole.subarray(1, 1 + saltBytes)
  const iv = whole.subarray(1 + saltBytes, 1 + saltBytes + ivBytes)
  const sealed = whole.subarray(1 + saltBytes + ivBytes, -tagBytes)
  if (whole[0] !== formats[key.kind] || iv.length !== ivBytes) return undefined
  const secret = await deriveKey(key, salt)
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, iv, { authTagLength: tagBytes })
    decipher.setAAD(whole.subarray(0, 1))
    decipher.setAuthTag(whole.subarray(-tagBytes))
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Example: `environment staging`. Organization and schema are compared where both sides name one. */
function differenceOf(
  { organization, schema, environment }: SnapshotSubject,
  of: Readonly<Record<string, unknown>>,
): string | undefined {
  if (of['environment'] !== environment) return `environment ${String(of['environment'])}`
  const others = { organization, schema }
  for (const [name, expected] of Object.entries(others)) {
    const actual = of[name]
    if (expected !== undefined && typeof actual === 'string' && actual !== expected) {
      return `${name} ${actual}`
    }
  }
  return undefined
}

function parseSnapshot(
  parsed: Readonly<Record<string, unknown>> | undefined,
): RunSnapshot | undefined {
  const { schemaId, environmentId, configUrl, fetchedAt, version, values, secrets, variables } =
    parsed ?? {}
  if (typeof schemaId !== 'string' || typeof environmentId !== 'string') return undefined
  if (typeof configUrl !== 'string' || typeof fetchedAt !== 'string') return undefined
  if (typeof version !== 'number' || !isRecord(values)) return undefined
  if (!Array.isArray(secrets) || !isRecord(variables)) return undefined
  const known = Object.entries(values).flatMap(([key, value]) =>
    isConfigValue(value) ? [[key, value] as const] : [],
  )
  return {
    schemaId,
    environmentId,
    configUrl,
    fetchedAt,
    version,
    values: Object.fromEntries(known),
    secrets: secrets.map(String),
    variables: Object.fromEntries(
      Object.entries(variables).map(([key, name]) => [key, String(name)]),
    ),
  }
}
