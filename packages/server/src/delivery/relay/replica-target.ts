import {
  addressName,
  parseHeader,
  renderHeader,
  type RecordHeader,
} from '../../replica/record-header.ts'
import { toBrowserItem, type BrowserItem, type BrowserRow } from '../browser/browser-item.ts'
import type { DeliveryCaches } from '../cache/delivery-caches.ts'
import { snapshotKeyOf, type Published } from '../cache/published.ts'
import { browserFormat, dataKeysFormat, serverFormat, type RowFormat } from '../cache/saved-rows.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { RemovedRecords, ReplicaChange } from '../disk/journal-page.ts'
import type { SnapshotFiles } from '../disk/snapshot-files.ts'
import type { ServerRow } from '../server/server-item.ts'
import { createReplicaKeys, type ReplicaKeys, type ReplicaKeysDeps } from './replica-keys.ts'
import { sharedAddress } from './replica-record.ts'
import type { ReadRecord, ReplicaTarget } from './upstream.ts'

interface Target<Row extends Published, Item extends Published> {
  readonly snapshots: SnapshotStore<Item>
  readonly files: SnapshotFiles<Row>
  readonly format: RowFormat<Row>
  readonly toItem: (row: Row) => Item
}

type BrowserTarget = Target<BrowserRow, BrowserItem>
type ServerTarget = Target<ServerRow, ServerRow>

type Applied = Pick<ReadRecord, 'isNew' | 'apply'>

/** Creates what writes the records that a node without a database believes onto its disk and into its memory. */
export function createReplicaTarget({
  caches,
  ...deps
}: ReplicaKeysDeps & {
  readonly caches: DeliveryCaches
}): ReplicaTarget {
  const { browser, server, disk } = caches
  const browserTarget: BrowserTarget = {
    snapshots: browser,
    files: disk.browser,
    format: browserFormat,
    toItem: toBrowserItem,
  }
  const serverTarget: ServerTarget = {
    snapshots: server,
    files: disk.server,
    format: serverFormat,
    toItem: (row) => row,
  }
  const keys = createReplicaKeys(deps)
  const targets = { browser: browserTarget, server: serverTarget }
  const read = createRecordReader(caches, targets, keys)
  const apply = (records: readonly Applied[], removed: RemovedRecords) => {
    for (const record of records) record.apply()
    for (const snapshotKey of removed.browser) remove(browserTarget, snapshotKey)
    for (const snapshotKey of removed.server) remove(serverTarget, snapshotKey)
    for (const orgId of removed.organizations) keys.remove(orgId)
    keys.apply()
  }
  const listRemoved = (addresses: ReadonlySet<string>): RemovedRecords => ({
    browser: listAbsent(browser, 'browser', addresses),
    server: listAbsent(server, 'server', addresses),
    organizations: keys
      .listOrganizations()
      .filter((orgId) => !addresses.has(addressName(sharedAddress(orgId, 'keys')))),
  })
  return {
    readRecord: (header, content) => ({ header, content, ...read(header, content) }),
    async take({ mark, records, addresses }) {
      const added = records.filter((record) => record.isNew())
      const removed = listRemoved(addresses)
      if (added.length > 0 || Object.values(removed).some((each) => each.length > 0)) {
        const written = added.map(({ header, content }) => ({
          header: renderHeader(header),
          content,
        }))
        await disk.writeAhead({ mark, records: written, removed })
      }
      apply(added, removed)
    },
    restore({ records, removed }: ReplicaChange) {
      const headers = records.map((record) => ({ ...record, header: parseHeader(record.header) }))
      const applied = headers.flatMap(({ header, content }) =>
        header === undefined ? [] : [read(header, content)],
      )
      apply(applied, removed)
    },
    saveMark: (mark) => disk.saveMark(mark),
  }
}

/** Creates what reads the content of a record by its kind. */
function createRecordReader(
  { secrets, disk }: DeliveryCaches,
  targets: { readonly browser: BrowserTarget; readonly server: ServerTarget },
  keys: ReplicaKeys,
): (header: RecordHeader, content: string) => Applied {
  return (header, content) => {
    switch (header.kind) {
      case 'browser':
        return readSnapshot(targets.browser, header, content)
      case 'server':
        return readSnapshot(targets.server, header, content)
      case 'keys':
        return { isNew, apply: keys.parse(header.orgId, content) }
      case 'token-keys':
        return { isNew, apply: keys.parseTokenKeys(content) }
      case 'data-keys': {
        const rows = dataKeysFormat.parse(content)
        const apply = () => {
          if (secrets.apply(rows)) disk.saveDataKeys(() => secrets.save())
        }
        return { isNew, apply }
      }
      default:
        return header.kind satisfies never
    }
  }
}

/** Saves a comparison: there are few records of these kinds, and they change seldom. */
const isNew = () => true

/** Reads a row, even an older one: an epoch in which versions count again may have begun. */
function readSnapshot<Row extends Published, Item extends Published>(
  { snapshots, files, format, toItem }: Target<Row, Item>,
  header: RecordHeader,
  content: string,
): Applied {
  const row = format.parse(content)
  const { orgId, environmentId, schemaId, version, etag } = row
  const says = [orgId, environmentId, schemaId, version, etag]
  const is = [header.orgId, header.environmentId, header.schemaId, header.version, header.etag]
  if (says.join() !== is.join())
    throw new Error(`The record ${addressName(header)} holds another row`)
  const snapshotKey = snapshotKeyOf(row)
  const isHeld = () => {
    const held = snapshots.find(snapshotKey)
    return held?.version === version && held.etag === etag
  }
  return {
    isNew: () => !isHeld() || files.keepsBefore(snapshotKey, header.oldest),
    apply() {
      const held = snapshots.find(snapshotKey)
      if (held !== undefined && held.version > version) files.drop(snapshotKey)
      if (!isHeld()) {
        snapshots.replace(toItem(row))
        files.keep(row)
      }
      files.forgetBefore(snapshotKey, header.oldest)
    },
  }
}

function listAbsent(
  snapshots: SnapshotStore<Published>,
  kind: 'browser' | 'server',
  addresses: ReadonlySet<string>,
): string[] {
  return [...snapshots.list()]
    .filter(
      ({ orgId, environmentId, schemaId }) =>
        !addresses.has(addressName({ orgId, environmentId, kind, schemaId })),
    )
    .map(snapshotKeyOf)
}

function remove(
  {
    snapshots,
    files,
  }: {
    readonly snapshots: Pick<SnapshotStore<Published>, 'remove'>
    readonly files: Pick<SnapshotFiles<Published>, 'drop'>
  },
  snapshotKey: string,
): void {
  snapshots.remove(snapshotKey)
  files.drop(snapshotKey)
}
