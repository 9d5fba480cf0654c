import {
  listHighestVersions,
  storeLostVersions,
  type HighestVersions,
} from '../configs/publication/lost-version-rows.ts'
import type { ImportOptions } from '../store/import-database.ts'
import { beginEpoch } from '../vault/publisher-key-rows.ts'

/**
 * Lets what an import has stored go on from the highest numbers that somebody may have read: another epoch begins, which clients
 * that verify signatures ask for, and later versions are above those of the replaced database.
 */
export function goOnFromHighest(
  now: () => Date,
): Required<Pick<ImportOptions, 'begin' | 'finish'>> {
  let highest: readonly HighestVersions[] = []
  return {
    begin: async (tx) => {
      highest = await listHighestVersions(tx)
    },
    finish: async (tx) => {
      await beginEpoch(tx, now())
      await storeLostVersions(tx, highest)
    },
  }
}
