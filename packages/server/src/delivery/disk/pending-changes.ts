import { createPairChanges, type PairChanges } from './pair-changes.ts'
import type { PairKey } from '../cache/published.ts'
import type { SaveRounds } from './save-rounds.ts'

/** What is to become of the files of each pair, until it has. */
export interface PendingChanges<Row> {
  /** The changes of a pair that the next round saves. */
  of(pair: PairKey): PairChanges<Row>
  /** A version as it will be once everything is saved; `undefined` when that is as the disk has it. */
  find(pair: PairKey, version: number): Row | 'removed' | undefined
}

export interface PendingChangesDeps<Row> {
  readonly rounds: SaveRounds
  /** Names a pair among all that the rounds save. */
  readonly nameOf: (pair: PairKey) => string
  readonly save: (pair: PairKey, changes: PairChanges<Row>) => Promise<void>
}

export function createPendingChanges<Row extends { readonly version: number }>(
  deps: PendingChangesDeps<Row>,
): PendingChanges<Row> {
  const waiting = new Map<PairKey, PairChanges<Row>>()
  const saving = new Map<PairKey, PairChanges<Row>>()
  const save = async (pair: PairKey): Promise<void> => {
    const changes = waiting.get(pair)
    if (changes === undefined) return
    waiting.delete(pair)
    saving.set(pair, changes)
    try {
      await deps.save(pair, changes)
    } finally {
      saving.delete(pair)
    }
  }
  return {
    of(pair) {
      const known = waiting.get(pair)
      if (known !== undefined) return known
      const changes = createPairChanges<Row>()
      waiting.set(pair, changes)
      deps.rounds.ask(deps.nameOf(pair), () => save(pair))
      return changes
    },
    find: (pair, version) => waiting.get(pair)?.find(version) ?? saving.get(pair)?.find(version),
  }
}
