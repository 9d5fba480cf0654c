import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { ApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { nameByHash, renderListing } from '../../replica/listing.ts'
import { renderMark } from '../../replica/mark.ts'
import { manifestName, noPart } from '../../replica/record-header.ts'
import type { Signed } from '../../replica/signed.ts'
import type { BrowserItem } from '../browser/browser-item.ts'
import { snapshotKeyOf, type Published, type SnapshotKey } from '../cache/published.ts'
import { isInScope, type KeyReader } from '../cache/reader.ts'
import { dataKeysFormat } from '../cache/saved-rows.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { ServerRow } from '../server/server-item.ts'
import {
  renderRecord,
  sharedAddress,
  signRecord,
  toBrowserRecord,
  toServerRecord,
  type ReplicaRecord,
  type ReplicaSigner,
} from './replica-record.ts'

/** Describes what relays are fed from. */
export interface ReplicaFeed {
  /** Returns the newest mark for a relay key, signed at most a second ago. */
  mark(reader: KeyReader): Signed
  /** Returns what has this hash among what the key may read: an index, a manifest or a record. */
  find(reader: KeyReader, sha256: string): string | undefined
}

/** Lists what an origin makes records of. */
export interface OriginDeps {
  readonly signer: () => ReplicaSigner
  readonly browser: SnapshotStore<BrowserItem>
  readonly server: SnapshotStore<ServerRow>
  readonly dataKeys: () => readonly WrappedDataKey[]
  readonly keyCache: Pick<ApiKeyCache, 'save'>
  /** Returns the oldest version that may be shown. */
  readonly oldestOf: (audience: 'browser' | 'server', snapshotKey: SnapshotKey) => number
  readonly now: () => Date
}

interface View {
  readonly builtAtMs: number
  readonly mark: Signed
  readonly objects: ReadonlyMap<string, string>
  /** Holds the texts of the view before: a relay may still be fetching them. */
  readonly earlier: ReadonlyMap<string, string>
}

/** Limits how often the records of a key are looked through. */
const viewMs = 1_000

/** Creates the feed of relays in a process that can sign. */
export function createOrigin(deps: OriginDeps): ReplicaFeed {
  const views = new Map<string, View>()
  const records = createRecords(deps)
  const viewOf = (reader: KeyReader): View => {
    const nowMs = deps.now().getTime()
    const before = views.get(reader.keyId)
    if (before !== undefined && nowMs - before.builtAtMs < viewMs) return before
    const view = build(deps, { nowMs, earlier: before?.objects, records: records.of(reader) })
    views.set(reader.keyId, view)
    return view
  }
  return {
    mark: (reader) => viewOf(reader).mark,
    find(reader, sha256) {
      const view = views.get(reader.keyId) ?? viewOf(reader)
      return view.objects.get(sha256) ?? view.earlier.get(sha256)
    },
  }
}

interface Build {
  readonly nowMs: number
  readonly earlier: ReadonlyMap<string, string> | undefined
  readonly records: readonly ReplicaRecord[]
}

function build({ signer }: OriginDeps, { nowMs, earlier, records }: Build): View {
  const objects = new Map<string, string>()
  const manifests = new Map<string, Map<string, string>>()
  for (const record of records) {
    const name = manifestName(record.header)
    const manifest = manifests.get(name) ?? new Map<string, string>()
    manifests.set(name, manifest.set(record.address, record.name))
    objects.set(record.name, earlier?.get(record.name) ?? renderRecord(record))
  }
  const index = new Map<string, string>()
  for (const [name, manifest] of manifests) {
    const text = renderListing(manifest)
    objects.set(nameByHash(text), text)
    index.set(name, nameByHash(text))
  }
  const text = renderListing(index)
  objects.set(nameByHash(text), text)
  const by = signer()
  const mark = renderMark({ epoch: by.epoch, counter: nowMs, index: nameByHash(text), atMs: nowMs })
  return {
    builtAtMs: nowMs,
    mark: { text: mark, signatures: by.signText(mark) },
    objects,
    earlier: earlier ?? new Map(),
  }
}

function isOf(reader: KeyReader): (item: Published) => boolean {
  return (item) => item.orgId === reader.orgId && isInScope(reader, item)
}

/** Makes each record once for as long as what it holds stays the same. */
function createRecords(deps: OriginDeps) {
  const { signer, browser, server, keyCache, dataKeys, now } = deps
  const made = new WeakMap<Published, { readonly made: ReplicaRecord; readonly by: string }>()
  const shared = new Map<string, { readonly made: ReplicaRecord; readonly by: string }>()

  const ofItem = <Item extends Published>(
    item: Item,
    oldest: number,
    make: (of: ReplicaSigner, item: Item, oldest: number) => ReplicaRecord,
  ) => {
    const by = `${signer().generation} ${oldest}`
    const known = made.get(item)
    if (known?.by === by) return known.made
    const record = make(signer(), item, oldest)
    made.set(item, { made: record, by })
    return record
  }
  const ofShared = (address: ReturnType<typeof sharedAddress>, scope: string, content: string) => {
    const name = `${address.orgId} ${address.kind} ${scope}`
    const by = `${signer().generation} ${nameByHash(content)}`
    const known = shared.get(name)
    if (known?.by === by) return known.made
    // It has no version of its own. The time orders its contents, whichever node made them.
    const version = Math.max(now().getTime(), (known?.made.header.version ?? 0) + 1)
    const etag = nameByHash(content).slice(0, 22)
    const record = signRecord(signer(), { ...address, version, oldest: 0, etag }, content)
    shared.set(name, { made: record, by })
    return record
  }
  return {
    of(reader: KeyReader): ReplicaRecord[] {
      const { orgId, keyId } = reader
      const { signingKeys, ...keys } = keyCache.save()
      const own = {
        organizations: keys.organizations.filter(({ id }) => id === orgId),
        keys: keys.keys.filter((key) => key.orgId === orgId),
        secrets: keys.secrets.filter((secret) => secret.orgId === orgId),
      }
      const wrapped = dataKeys().filter((key) => key.orgId === orgId)
      const { oldestOf } = deps
      return [
        ...[...browser.list()]
          .filter(isOf(reader))
          .map((item) => ofItem(item, oldestOf('browser', snapshotKeyOf(item)), toBrowserRecord)),
        ...[...server.list()]
          .filter(isOf(reader))
          .map((row) => ofItem(row, oldestOf('server', snapshotKeyOf(row)), toServerRecord)),
        ofShared(sharedAddress(orgId, 'keys'), keyId, JSON.stringify(own)),
        ofShared(sharedAddress(orgId, 'data-keys'), keyId, dataKeysFormat.render(wrapped)),
        ofShared(sharedAddress(noPart, 'token-keys'), keyId, JSON.stringify(signingKeys)),
      ]
    },
  }
}
