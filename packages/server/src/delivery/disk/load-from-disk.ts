import { newestMark } from '../../replica/newest-mark.ts'
import type { Signed } from '../../replica/signed.ts'
import { toBrowserItem } from '../browser/browser-item.ts'
import type { DeliveryCaches } from '../cache/delivery-caches.ts'
import type { DeliveryDeps } from '../delivery-deps.ts'
import type { ReplicaTarget } from '../relay/upstream.ts'
import type { SavedDelivery } from './disk-cache.ts'

/** Describes what a node has begun with. */
export interface FromDisk {
  readonly hasSnapshots: boolean
  readonly asOf: Date | undefined
  readonly mark: Signed | undefined
}

/** Describes a node with an empty disk, or with one that cannot be read. */
export const nothingOnDisk: FromDisk = { hasSnapshots: false, asOf: undefined, mark: undefined }

/** Loads the disk cache into memory. A cache that cannot be read is reported and does not fail the start. */
export async function loadFromDisk(
  { restoreKeyCache, upstream, log }: DeliveryDeps,
  { browser, server, secrets, publicKeys, disk }: DeliveryCaches,
  target: Pick<ReplicaTarget, 'restore'>,
): Promise<FromDisk> {
  try {
    const saved = await disk.load()
    secrets.apply(saved.dataKeys)
    if (upstream === undefined) publicKeys.apply(saved.publicKeys)
    for (const row of saved.browser) browser.replace(toBrowserItem(row))
    for (const row of saved.server) server.replace(row)
    if (saved.keyCache !== undefined) restoreKeyCache(saved.keyCache)
    restoreJournal(saved, target, log)
    const mark = newestMark([saved.mark, ...saved.journal.map((change) => change.mark)])
    if (saved.journal.length > 0 && mark !== undefined) disk.saveMark(mark)
    const hasSnapshots = browser.size > 0
    return { hasSnapshots, asOf: hasSnapshots ? saved.asOf : undefined, mark }
  } catch (error) {
    log.error('Could not read the disk cache; snapshots come from the database', { error })
    return nothingOnDisk
  }
}

/** Takes what a crash has kept from the files, whatever feeds the node now. */
function restoreJournal(
  { journal }: SavedDelivery,
  target: Pick<ReplicaTarget, 'restore'>,
  log: DeliveryDeps['log'],
): void {
  for (const change of journal) {
    try {
      target.restore(change)
    } catch (error) {
      log.warn('Skipped a change in the disk cache', { error })
    }
  }
}
