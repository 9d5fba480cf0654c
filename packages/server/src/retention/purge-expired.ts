import type { Store } from '../store/store.ts'
import { retentionRules } from './rules.ts'

/** Limits the rows that one transaction removes, because others wait for the locks on them. */
const batchMax = 1_000

/** Removes rows that have done their work, some at a time. Safe to repeat and to interrupt. */
export async function purgeExpired({
  store,
  now,
  batch = batchMax,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
  /** Fewer in tests. */
  readonly batch?: number
}): Promise<void> {
  for (const { keptMs, forget } of retentionRules) {
    let removed = batch
    while (removed === batch) {
      const before = new Date(now().getTime() - keptMs)
      removed = (await store.maintenance((tx) => forget(tx, before, batch))).length
    }
  }
}
