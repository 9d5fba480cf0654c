import type { BrowserItem } from '../browser/browser-item.ts'
import type { DiskCache } from '../disk/disk-cache.ts'
import type { SecretBox } from '../server/secret-box.ts'
import type { ServerRow } from '../server/server-item.ts'
import type { Shelf } from './shelf.ts'

/** Everything that is held in memory, and where it is kept. */
export interface Holdings {
  readonly browser: Shelf<BrowserItem>
  readonly server: Shelf<ServerRow>
  readonly secrets: SecretBox
  readonly disk: DiskCache
}
