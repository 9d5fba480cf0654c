import { z } from 'zod'
import { addressName, type RecordHeader } from '../../replica/record-header.ts'
import { sharedAddress } from './replica-record.ts'
import { snapshotKeyOf, type Published } from '../cache/published.ts'
import type { FeedTarget } from '../cache/apply-versions.ts'
import { browserFormat, dataKeysFormat, serverFormat } from '../cache/saved-rows.ts'
import { toBrowserItem, type BrowserItem, type BrowserRow } from '../browser/browser-item.ts'
import type { DeliveryCaches } from '../cache/delivery-caches.ts'
import type { ServerRow } from '../server/server-item.ts'
import type { ReplicaTarget } from './upstream.ts'

/** Lists what the records of a relay are written to. */
export interface ReplicaTargetDeps {
  readonly caches: DeliveryCaches
  /** Replaces the API keys, organizations and public keys of access tokens, in memory and on the disk. */
  readonly replaceKeys: (saved: unknown) => void
}

const keysShape = z.object({
  organizations: z.array(z.unknown()),
  keys: z.array(z.unknown()),
  secrets: z.array(z.unknown()),
})
const tokenKeysShape = z.array(z.unknown())

/** Creates what writes the records that a relay believes into its memory and onto its disk. */
export function createReplicaTarget({ caches, replaceKeys }: ReplicaTargetDeps): ReplicaTarget {
  const { browser, server, secrets, disk } = caches
  const targets = {
    browser: { ...disk.browser, snapshots: browser, toItem: toBrowserItem },
    server: { ...disk.server, snapshots: server, toItem: (row: ServerRow) => row },
  }
  const keys = new Map<string, z.output<typeof keysShape>>()
  let signingKeys: z.output<typeof tokenKeysShape> = []
  const replaceAll = () => {
    const ofAll = [...keys.values()]
    replaceKeys({
      organizations: ofAll.flatMap((each) => each.organizations),
      keys: ofAll.flatMap((each) => each.keys),
      secrets: ofAll.flatMap((each) => each.secrets),
      signingKeys,
    })
  }
  return {
    apply(header, content) {
      switch (header.kind) {
        case 'browser':
          return put<BrowserRow, BrowserItem>(targets.browser, header, browserFormat.parse(content))
        case 'server':
          return put<ServerRow, ServerRow>(targets.server, header, serverFormat.parse(content))
        case 'keys':
          keys.set(header.orgId, keysShape.parse(JSON.parse(content)))
          return replaceAll()
        case 'token-keys':
          signingKeys = tokenKeysShape.parse(JSON.parse(content))
          return replaceAll()
        case 'data-keys':
          if (secrets.apply(dataKeysFormat.parse(content))) disk.saveDataKeys(() => secrets.save())
          return undefined
        default:
          return header.kind satisfies never
      }
    },
    keepOnly(addresses) {
      keepOnly(targets.browser, 'browser', addresses)
      keepOnly(targets.server, 'server', addresses)
      const ended = [...keys.keys()].filter(
        (orgId) => !addresses.has(addressName(sharedAddress(orgId, 'keys'))),
      )
      for (const orgId of ended) keys.delete(orgId)
      if (ended.length > 0) replaceAll()
    },
    saveMark: (mark) => disk.saveMark(mark),
  }
}

/** Takes a row, even an older one: an epoch in which versions count again may have begun. */
function put<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  header: RecordHeader,
  row: Row,
): void {
  const { orgId, environmentId, schemaId, version, etag } = row
  const says = [orgId, environmentId, schemaId, version, etag]
  const is = [header.orgId, header.environmentId, header.schemaId, header.version, header.etag]
  if (says.join() !== is.join())
    throw new Error(`The record ${addressName(header)} holds another row`)
  const snapshotKey = snapshotKeyOf(row)
  const held = target.snapshots.find(snapshotKey)
  if (held !== undefined && held.version > version) target.drop(snapshotKey)
  if (held?.version !== version || held.etag !== etag) target.snapshots.replace(target.toItem(row))
  target.keep(row)
  target.forgetBefore(snapshotKey, header.oldest)
}

function keepOnly<Row extends Published, Item extends Published>(
  { snapshots, drop }: FeedTarget<Row, Item>,
  kind: 'browser' | 'server',
  addresses: ReadonlySet<string>,
): void {
  const absent = [...snapshots.list()].filter(
    ({ orgId, environmentId, schemaId }) =>
      !addresses.has(addressName({ orgId, environmentId, kind, schemaId })),
  )
  for (const item of absent) {
    const snapshotKey = snapshotKeyOf(item)
    snapshots.remove(snapshotKey)
    drop(snapshotKey)
  }
}
