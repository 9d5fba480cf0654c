import type { BrowserItem } from '../browser/browser-item.ts'
import type { DiskCache } from '../disk/disk-cache.ts'
import type { PublicKeys } from './public-keys.ts'
import type { SecretBox } from '../server/secret-box.ts'
import type { ServerRow } from '../server/server-item.ts'
import type { SnapshotKey } from './published.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** Holds everything that is in memory, and the disk cache it is saved to. */
export interface DeliveryCaches {
  readonly browser: SnapshotStore<BrowserItem>
  readonly server: SnapshotStore<ServerRow>
  readonly secrets: SecretBox
  readonly publicKeys: PublicKeys
  /** Maps a snapshot to the oldest version that may be shown. Relays are told. */
  readonly oldest: Readonly<Record<'browser' | 'server', Map<SnapshotKey, number>>>
  readonly disk: DiskCache
}
