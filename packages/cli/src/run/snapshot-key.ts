import { hkdfSync, scrypt } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { CliError } from '../terminal/cli-error.ts'

/** Describes the secret that stored values are encrypted with. A token is random; a person chose a passphrase. */
export interface SnapshotKey {
  readonly kind: 'token' | 'passphrase'
  readonly secret: string
}

/** Counts the bytes of the salt in a stored snapshot. */
export const saltBytes = 16
const keyBytes = 32

/** Sets scrypt (RFC 7914) to 32 MiB, which a small container has, and some tenths of a second for each guess. */
const scryptCost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }

/** Derives 256 bits: from a token by HKDF-SHA-256 (RFC 5869), from a passphrase by scrypt, which slows down guessing. */
export async function deriveKey({ kind, secret }: SnapshotKey, salt: Buffer): Promise<Buffer> {
  if (kind === 'token') {
    return Buffer.from(hkdfSync('sha256', secret, salt, 'signalbox run snapshot 2', keyBytes))
  }
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFKC'), salt, keyBytes, scryptCost, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

const leastCharacters = 16

/**
 * Returns the passphrase of the environment, or of a file. It is never a flag, because flags are visible in process
 * lists.
 *
 * @throws {CliError} `passphrase` when it is short, or the file does not exist, or others can read it
 */
export async function findPassphrase(
  env: Readonly<Partial<Record<string, string>>>,
): Promise<SnapshotKey | undefined> {
  const path = env['SIGNALBOX_PASSPHRASE_FILE']
  const passphrase = env['SIGNALBOX_PASSPHRASE'] || (path ? await readSecretFile(path) : undefined)
  if (passphrase === undefined) return undefined
  const secret = passphrase.replace(/\r?\n$/, '')
  if (secret.length >= leastCharacters) return { kind: 'passphrase', secret }
  throw violation(
    `The passphrase has fewer than ${leastCharacters} characters.`,
    'openssl rand -base64 24',
  )
}

async function readSecretFile(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined)
    throw violation(`SIGNALBOX_PASSPHRASE_FILE names no file: ${path}`, undefined)
  return readFile(path, 'utf8')
}

function violation(message: string, advice: string | undefined): CliError {
  return new CliError('usage', 'passphrase', message, { advice })
}
