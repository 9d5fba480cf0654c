import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ConfigValue } from '@signalbox/contract'
import { isRecord, parseJsonObject } from '../project/json.ts'
import { writeFileAtomically } from '../project/write-file.ts'

/** The last values that were read, with when. */
export interface RunSnapshot {
  readonly schemaId: string
  readonly environmentId: string
  readonly fetchedAt: string
  readonly version: number
  readonly values: Readonly<Record<string, ConfigValue>>
}

export interface SnapshotPlace {
  readonly path: string
  /** What the snapshot is of; a file moved to another place does not open. */
  readonly context: string
}

const saltBytes = 16
const ivBytes = 12
const tagBytes = 16
const formatByte = 1

/** Where the snapshot of an environment is kept: `$XDG_CACHE_HOME/signalbox/run/`, by default below `~/.cache`. */
export function snapshotPlace(
  env: Readonly<Partial<Record<string, string>>>,
  parts: readonly (string | undefined)[],
): SnapshotPlace {
  const context = JSON.stringify(parts.map((part) => part ?? null))
  const name = createHash('sha256').update(context).digest('hex').slice(0, 32)
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return { path: join(cache, 'signalbox', 'run', `${name}.sealed`), context }
}

/** Keeps a snapshot, sealed with AES-256-GCM under a key derived from the token (HKDF-SHA256). */
export async function writeSnapshot(
  place: SnapshotPlace,
  token: string,
  snapshot: RunSnapshot,
): Promise<void> {
  const salt = randomBytes(saltBytes)
  const iv = randomBytes(ivBytes)
  const head = Buffer.from([formatByte])
  const cipher = createCipheriv('aes-256-gcm', deriveKey(token, salt), iv, {
    authTagLength: tagBytes,
  })
  cipher.setAAD(Buffer.concat([head, Buffer.from(place.context)]))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(snapshot), 'utf8'), cipher.final()])
  const whole = Buffer.concat([head, salt, iv, sealed, cipher.getAuthTag()])
  await mkdir(dirname(place.path), { recursive: true, mode: 0o700 })
  await writeFileAtomically(place.path, whole.toString('base64'), 0o600)
}

/** The snapshot kept by this token, or `undefined` when there is none or it does not open. */
export async function readSnapshot(
  place: SnapshotPlace,
  token: string,
): Promise<RunSnapshot | undefined> {
  const text = await readFile(place.path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const whole = Buffer.from(text, 'base64')
  const salt = whole.subarray(1, 1 + saltBytes)
  const iv = whole.subarray(1 + saltBytes, 1 + saltBytes + ivBytes)
  const sealed = whole.subarray(1 + saltBytes + ivBytes, -tagBytes)
  if (whole[0] !== formatByte || iv.length !== ivBytes) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(token, salt), iv, {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.concat([Buffer.from([formatByte]), Buffer.from(place.context)]))
    decipher.setAuthTag(whole.subarray(-tagBytes))
    const plain = Buffer.concat([decipher.update(sealed), decipher.final()])
    return parseSnapshot(plain.toString('utf8'))
  } catch {
    return undefined
  }
}

function deriveKey(token: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', token, salt, 'signalbox run snapshot 1', 32))
}

function parseSnapshot(text: string): RunSnapshot | undefined {
  const parsed = parseJsonObject(text)
  const { schemaId, environmentId, fetchedAt, version, values } = parsed ?? {}
  if (typeof schemaId !== 'string' || typeof environmentId !== 'string') return undefined
  if (typeof fetchedAt !== 'string' || typeof version !== 'number' || !isRecord(values)) {
    return undefined
  }
  const known = Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[key, value] as const]
      : [],
  )
  return { schemaId, environmentId, fetchedAt, version, values: Object.fromEntries(known) }
}
