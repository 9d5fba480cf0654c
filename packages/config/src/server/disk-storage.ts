import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SnapshotStorage } from '../snapshot-storage.ts'
import { ConfigError } from '../config-error.ts'

/** Describes the storage of encrypted snapshots on the disk. */
export interface DiskStorage extends SnapshotStorage {
  /** Writes the encrypted text. Resolves when it is on the disk, and rejects with the error of the disk. */
  setItem(key: string, text: string): Promise<void>
}

/** Describes the directory of the snapshots, and their key. */
export interface DiskStorageOptions {
  /** Holds the directory. It is created with mode 0700 when missing. */
  readonly directory: string
  /** Derives the key of the files. They are unreadable without the token, and after it was replaced. */
  readonly token: string
}

/**
 * Returns the directory of `persist: true`: `$XDG_CACHE_HOME/signalbox`, `%LOCALAPPDATA%\signalbox` or
 * `~/.cache/signalbox`.
 */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>> = process.env) {
  return join(
    env['XDG_CACHE_HOME'] || env['LOCALAPPDATA'] || join(homedir(), '.cache'),
    'signalbox',
  )
}

const format = 1
const ivBytes = 12
const tagBytes = 16

function derive(token: string, label: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', token, 'signalbox last-known-good', label, bytes))
}

/** Returns `format | iv | ciphertext | tag`, bound to `key` so that no file can replace another. */
function seal(token: string, key: string, text: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', derive(token, 'seal', 32), iv)
  cipher.setAAD(Buffer.from(`${format}|${key}`))
  return Buffer.concat([
    Buffer.of(format),
    iv,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

function unseal(token: string, key: string, blob: Buffer): string {
  const iv = blob.subarray(1, 1 + ivBytes)
  const decipher = createDecipheriv('aes-256-gcm', derive(token, 'seal', 32), iv, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(`${blob[0]}|${key}`))
  decipher.setAuthTag(blob.subarray(-tagBytes))
  const text = decipher.update(blob.subarray(1 + ivBytes, -tagBytes))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}

/** Replaces `file` completely or not at all, even if the machine stops meanwhile. */
async function replaceFile(directory: string, file: string, bytes: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}

/** Creates a storage that keeps last-known-good copies in a directory, one encrypted file of mode 0600 per key. */
export function createDiskStorage({ directory, token }: DiskStorageOptions): DiskStorage {
  const fileOf = (key: string) =>
    join(directory, `${derive(token, `name|${key}`, 16).toString('hex')}.sealed`)
  let writing: Promise<void> = Promise.resolve()

  return {
    getItem(key) {
      const file = fileOf(key)
      let blob: Buffer
      try {
        blob = readFileSync(file)
      } catch (cause) {
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
        throw cause
      }
      try {
        return unseal(token, key, blob)
      } catch (cause) {
        throw new ConfigError('invalid', `${file} was damaged and is not used`, { cause })
      }
    },
    setItem(key, text) {
      // Writes are sequential, so that the last call wins.
      const written = writing.then(() =>
        replaceFile(directory, fileOf(key), seal(token, key, text)),
      )
      writing = written.catch(() => {})
      return written
    },
  }
}
