import { systemAuthor } from '../audit/audit-event.ts'
import { generateRootKey, parseRootKey, type RootKey } from '../crypto/root-key.ts'
import { retireSigningKeys } from '../identity/access-tokens/signing-keys.ts'
import type { Settings } from '../settings.ts'
import { withRootKeys } from '../start/root-keys.ts'
import { loadRootKeys, rootKeyFile, saveRootKeys } from '../vault/root-key-file.ts'
import { rotateRootKey, type Rotation } from '../vault/rotate-root-key.ts'
import { UsageError, type Command } from './command.ts'
import { openCommandStore } from './open-command-store.ts'

interface KeyPair {
  readonly from: RootKey
  readonly to: RootKey
}

/**
 * Replaces the root key while the service runs. With the embedded database it makes the next key itself; with
 * `DATABASE_URL` the operator gives both to every node first. Interrupted, it is simply called again.
 */
export const rotateRootKeyCommand: Command = async ({ settings, json, terminal }) => {
  const read = await withRootKeys(settings())
  const isFileOurs = read.rootKeys.length === 0
  const pair = isFileOurs ? nextPairOfFile(read.dataDir) : givenPair(read)
  const store = await openCommandStore(read)
  try {
    const rotation = await rotateRootKey(
      { store },
      {
        ...pair,
        actor: systemAuthor,
        onProgress({ phase, done }) {
          if (!json) terminal.err(`${phase}: ${done} data keys`)
        },
      },
    )
    if (rotation.outcome !== 'wrong_key') {
      await retireSigningKeys({ store, now: () => new Date() }, pair.to)
      if (isFileOurs) saveRootKeys(read.dataDir, [pair.to])
    }
    if (json) terminal.out(JSON.stringify({ ...rotation, rootKeyId: pair.to.id }))
    else terminal.out(describe(rotation, isFileOurs ? rootKeyFile(read.dataDir) : undefined, read))
    return rotation.outcome === 'wrong_key' ? 1 : 0
  } finally {
    await store.close()
  }
}

/** A file with two keys is a rotation that was interrupted: it goes on with the same two. */
function nextPairOfFile(dataDir: string): KeyPair {
  const [first, second] = loadRootKeys(dataDir)
  if (second !== undefined) return { from: second, to: first }
  const to = generateRootKey()
  // Saved before anything is wrapped under it: a key that is lost here would lose the data.
  saveRootKeys(dataDir, [to, first])
  return { from: first, to }
}

function givenPair({ rootKeys, rootKeyCommand }: Settings): KeyPair {
  const [to, from] = rootKeys
  if (to === undefined || from === undefined) {
    throw rootKeyCommand === undefined
      ? new UsageError(
          'A rotation needs two root keys, and SIGNALBOX_ROOT_KEY holds one.',
          'First give every node both, the next one first: SIGNALBOX_ROOT_KEY=<next>,<current>. Then run this again.',
        )
      : new UsageError(
          'A rotation needs two root keys, and SIGNALBOX_ROOT_KEY_COMMAND prints one.',
          'First let it print both on every node, the next one first, and start the nodes again. Then run this again.',
        )
  }
  return { from: parseRootKey(from), to: parseRootKey(to) }
}

function describe(
  rotation: Rotation,
  file: string | undefined,
  { rootKeyCommand }: Settings,
): string {
  if (rotation.outcome === 'wrong_key') {
    return 'Nothing was changed: the current key is not the root key of this database.'
  }
  const done =
    rotation.outcome === 'rotated'
      ? `The root key was replaced; ${rotation.dataKeys} data keys open with the next one.`
      : 'The root key was already replaced.'
  const source =
    rootKeyCommand === undefined ? 'SIGNALBOX_ROOT_KEY' : 'what SIGNALBOX_ROOT_KEY_COMMAND prints'
  const next =
    file === undefined
      ? `Remove the previous key from ${source} on every node.`
      : `${file} now contains only the new key. Replace your copy of it.`
  return `${done} ${next}`
}
