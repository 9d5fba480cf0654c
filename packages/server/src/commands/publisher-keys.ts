import { parseRootKey } from '../crypto/root-key.ts'
import type { Settings } from '../settings.ts'
import { withRootKeys } from '../start/root-keys.ts'
import type { OpenStore } from '../store/open-store.ts'
import {
  addPublisherKey,
  beginPublisherEpoch,
  listPublicKeys,
  retirePublisherKey,
} from '../vault/publisher-keys.ts'
import { loadRootKeys } from '../vault/root-key-file.ts'
import { UsageError, type Command } from './command.ts'
import { openCommandStore } from './open-command-store.ts'

const steps = ['list', 'add', 'retire', 'new-epoch'] as const
type Step = (typeof steps)[number]

/**
 * Lists the keys that sign snapshots, or replaces them in two steps while the service runs: `add` and, when every client knows
 * the new key, `retire`.
 */
export const publisherKeysCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [word = 'list'] = operands
  const step = steps.find((known) => known === word)
  if (step === undefined) {
    throw new UsageError(`publisher-keys has no step "${word}".`, `Steps: ${steps.join(', ')}`)
  }
  const read = step === 'add' ? await withRootKeys(settings()) : settings()
  const store = await openCommandStore(read)
  try {
    const message = await take(step, store, read)
    if (step !== 'list') store.announce('snapshots')
    const keys = await listPublicKeys({ store })
    if (json) terminal.out(JSON.stringify({ keys, message }))
    else {
      for (const key of keys) terminal.out(key)
      terminal.err(message)
    }
    return 0
  } finally {
    await store.close()
  }
}

async function take(step: Step, store: OpenStore, settings: Settings): Promise<string> {
  switch (step) {
    case 'list':
      return 'Clients that verify snapshots need one of these keys. The last one is the newest.'
    case 'add':
      return (await addPublisherKey({ store, rootKeys: () => rootKeysOf(settings) })) === 'added'
        ? 'Within two minutes every snapshot is signed by both keys. Give clients the new one, the last. Then run: publisher-keys retire'
        : 'There are two keys already. Give clients the last one. Then run: publisher-keys retire'
    case 'retire':
      return (await retirePublisherKey({ store }, new Date())).length > 0
        ? 'The older key is retired. Clients that know only that one now refuse every new snapshot.'
        : 'There is only one key, so none was retired. First run: publisher-keys add'
    case 'new-epoch':
      return `Epoch ${await beginPublisherEpoch({ store }, new Date())} has begun. Within two minutes clients take the present versions, even older ones.`
    default:
      return step satisfies never
  }
}

function rootKeysOf({ rootKeys, dataDir }: Settings) {
  return rootKeys.length > 0 ? rootKeys.map(parseRootKey) : loadRootKeys(dataDir)
}
