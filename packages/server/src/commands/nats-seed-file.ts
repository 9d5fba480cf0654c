import { readFile, writeFile } from 'node:fs/promises'
import { nkeys } from '@nats-io/transport-node'
import { errorCodeOf } from '../store/error-code.ts'
import { UsageError } from './command.ts'
import { explainOperand } from './open-operand.ts'

/** Describes the file that holds the seed of a user of NATS, and the half of it that everybody may see. */
export interface NatsSeedFile {
  /** Example: `UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4`. */
  readonly publicKey: string
  /** Tells whether the user was made just now. */
  readonly isNew: boolean
}

/**
 * Makes a user and writes its seed to a file that only its owner reads. A file that is there already is never replaced: its user
 * is returned, so that the permissions of a user can be printed again.
 *
 * @throws {UsageError} when the file cannot be written, or holds no seed of a user.
 */
export async function openNatsSeedFile(file: string): Promise<NatsSeedFile> {
  const made = nkeys.createUser()
  try {
    const seed = new TextDecoder().decode(made.getSeed())
    await writeFile(file, `${seed}\n`, { flag: 'wx', mode: 0o600 })
    return { publicKey: made.getPublicKey(), isNew: true }
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw explainOperand(error, file, 'written')
    return { publicKey: await readPublicKey(file), isNew: false }
  } finally {
    made.clear()
  }
}

async function readPublicKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw explainOperand(error, file, 'read')
  })
  const key = parseSeed(text.trim())
  if (key === undefined) {
    throw new UsageError(
      `${file} exists already and holds no seed of a user of NATS.`,
      'Name a file that does not exist yet.',
    )
  }
  try {
    return key.getPublicKey()
  } finally {
    key.clear()
  }
}

/** Parses the seed of a user. Seeds of accounts and operators begin with other letters. */
function parseSeed(text: string): nkeys.KeyPair | undefined {
  if (!/^SU[A-Z2-7]+$/.test(text)) return undefined
  try {
    return nkeys.fromSeed(new TextEncoder().encode(text))
  } catch {
    return undefined
  }
}
