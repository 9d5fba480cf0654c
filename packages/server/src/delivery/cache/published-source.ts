import type { DeliveryReader } from '../../store/store.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import type { ServerRow } from '../server/server-item.ts'
import type { PublishedSource } from './feed.ts'
import { findChanges, listBrowserRows, listServerRows } from './rows.ts'

/** Returns what reads published rows from the database. */
export function publishedSource(reader: DeliveryReader): PublishedSource<BrowserRow, ServerRow> {
  return {
    changes: (since) => findChanges(reader, since),
    browserRows: (versions) => listBrowserRows(reader, versions),
    serverRows: (versions) => listServerRows(reader, versions),
  }
}
