import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { generateRootKey, parseRootKey, renderRootKey, type RootKey } from '../crypto/root-key.ts'
import { OperatorError } from '../store/operator-error.ts'

/**
 * Returns the path of the key file: one key a line, the one in force first. It is beside the database and never inside
 * it, because a dump must not contain it.
 */
export function rootKeyFile(dataDir: string): string {
  return join(dataDir, 'root.key')
}

/**
 * Reads the root keys of a data directory, and creates the first one when there is no file.
 *
 * @throws {OperatorError} when other users can read the file, or a line is no key.
 */
export function loadRootKeys(dataDir: string): readonly [RootKey, ...RootKey[]] {
  const [first, ...others] = findRootKeys(dataDir)
  return first === undefined ? createRootKeyFile(rootKeyFile(dataDir)) : [first, ...others]
}

/**
 * Reads the root keys of a data directory; none when it has no file.
 *
 * @throws {OperatorError} when other users can read the file, or a line is no key.
 */
export function findRootKeys(dataDir: string): readonly RootKey[] {
  const file = rootKeyFile(dataDir)
  const text = findText(file)
  if (text === undefined) return []
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new OperatorError(`Others can read ${file}.`, {
      advice: `Remove their access: chmod 600 ${file}`,
    })
  }
  const keys = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseLine(line, file))
  if (keys.length === 0)
    throw new OperatorError(`${file} contains no root key.`, {
      advice: 'Restore it from your copy.',
    })
  return keys
}

function parseLine(line: string, file: string): RootKey {
  try {
    return parseRootKey(line)
  } catch (error) {
    throw new OperatorError(`A line of ${file} is not a root key.`, {
      advice: 'Restore it from your copy.',
      cause: error,
    })
  }
}

/** Deletes a key that was just created and has sealed nothing. */
export function discardRootKeys(dataDir: string): void {
  rmSync(rootKeyFile(dataDir), { force: true })
}

/** Replaces the keys in the file atomically, so that a crash leaves the old ones or the new ones. */
export function saveRootKeys(dataDir: string, keys: readonly RootKey[]): void {
  const file = rootKeyFile(dataDir)
  writeDurably(`${file}.new`, renderKeys(keys), 'w')
  renameSync(`${file}.new`, file)
}

/**
 * Returns a function that reads the current keys of the file. A rotation begins by adding a key to it, which the
 * running service has to notice.
 */
export function followRootKeys(dataDir: string): () => readonly RootKey[] {
  const file = rootKeyFile(dataDir)
  let keys: readonly RootKey[] = loadRootKeys(dataDir)
  let lastState = stateOf(file)
  return () => {
    const state = stateOf(file)
    if (state !== undefined && state !== lastState) {
      keys = loadRootKeys(dataDir)
      lastState = state
    }
    return keys
  }
}

/**
 * Identifies the state of the file, which changes with every replacement. The time alone is too coarse to distinguish
 * two writes.
 */
function stateOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeMs}`
}

function createRootKeyFile(file: string): readonly [RootKey, ...RootKey[]] {
  const key = generateRootKey()
  // The directory is missing when the database is elsewhere, because its user cannot reach this one.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeDurably(file, renderKeys([key]), 'wx')
  return [key]
}

function renderKeys(keys: readonly RootKey[]): string {
  return keys.map((key) => `${renderRootKey(key)}\n`).join('')
}

function writeDurably(file: string, text: string, flags: 'w' | 'wx'): void {
  const descriptor = openSync(file, flags, 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function findText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
