import type { Store, Tx } from '../../store/store.ts'

/** Limits the entries that one transaction deletes. */
export const deletedAtOnce = 1_000

/**
 * Runs transactions that each delete at most `deletedAtOnce` entries, until one finds fewer.
 *
 * @returns whether everything was deleted, and the time was not over before.
 */
export async function deleteAll(
  store: Pick<Store, 'maintenance'>,
  isOver: () => boolean,
  deleteSome: (tx: Tx) => Promise<number>,
): Promise<boolean> {
  for (;;) {
    if (isOver()) return false
    if ((await store.maintenance(deleteSome)) < deletedAtOnce) return true
  }
}
