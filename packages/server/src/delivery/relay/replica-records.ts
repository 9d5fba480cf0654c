import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { ApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { nameByHash } from '../../replica/listing.ts'
import { addressName, noPart } from '../../replica/record-header.ts'
import type { BrowserItem } from '../browser/browser-item.ts'
import { snapshotKeyOf, type Published, type SnapshotKey } from '../cache/published.ts'
import { dataKeysFormat } from '../cache/saved-rows.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { ServerRow } from '../server/server-item.ts'
import {
  sharedAddress,
  signRecord,
  toBrowserRecord,
  toServerRecord,
  type ReplicaRecord,
  type ReplicaSigner,
} from './replica-record.ts'

/** Lists what records are made of. */
export interface ReplicaRecordsDeps {
  readonly signer: () => ReplicaSigner
  readonly browser: Pick<SnapshotStore<BrowserItem>, 'list'>
  readonly server: Pick<SnapshotStore<ServerRow>, 'list'>
  readonly dataKeys: () => readonly WrappedDataKey[]
  readonly keyCache: Pick<ApiKeyCache, 'save'>
  /** Returns the oldest version that may be shown. */
  readonly oldestOf: (audience: 'browser' | 'server', snapshotKey: SnapshotKey) => number
  /** Returns the version of a content that has none of its own. It has to grow with each other content of the same name. */
  readonly versionOf: (name: string, content: string) => number
}

/** Describes who a set of records is for. */
export interface ReplicaScope {
  /** Tells records of the same address in several scopes apart. */
  readonly name: string
  readonly orgIds: readonly string[]
  readonly includes: (item: Published) => boolean
}

interface Made {
  readonly record: ReplicaRecord
  /** Changes when the record has to be made again. */
  readonly by: string
}

/** Creates the records of what is published, of API keys and of data keys. */
export function createReplicaRecords(deps: ReplicaRecordsDeps) {
  const ofItem = createItemRecords(deps)
  const ofShared = createSharedRecords(deps)
  const { browser, server, oldestOf } = deps
  return {
    of({ name, orgIds, includes }: ReplicaScope): ReplicaRecord[] {
      const scopeIds = new Set(orgIds)
      const isOfIt = (item: Published) => scopeIds.has(item.orgId) && includes(item)
      return [
        ...[...browser.list()]
          .filter(isOfIt)
          .map((item) => ofItem(item, oldestOf('browser', snapshotKeyOf(item)), toBrowserRecord)),
        ...[...server.list()]
          .filter(isOfIt)
          .map((row) => ofItem(row, oldestOf('server', snapshotKeyOf(row)), toServerRecord)),
        ...listShared(deps, orgIds).map((shared) => ofShared(name, shared)),
      ]
    },
  }
}

function createItemRecords({ signer }: Pick<ReplicaRecordsDeps, 'signer'>) {
  const made = new WeakMap<Published, Made>()
  return <Item extends Published>(
    item: Item,
    oldest: number,
    make: (of: ReplicaSigner, item: Item, oldest: number) => ReplicaRecord,
  ): ReplicaRecord => {
    const by = `${signer().generation} ${oldest}`
    const known = made.get(item)
    if (known?.by === by) return known.record
    const record = make(signer(), item, oldest)
    made.set(item, { record, by })
    return record
  }
}

interface Shared {
  readonly address: ReturnType<typeof sharedAddress>
  readonly content: string
}

function createSharedRecords({
  signer,
  versionOf,
}: Pick<ReplicaRecordsDeps, 'signer' | 'versionOf'>) {
  const made = new Map<string, Made>()
  return (scope: string, { address, content }: Shared): ReplicaRecord => {
    const name = `${scope} ${addressName(address)}`
    const hashed = nameByHash(content)
    const by = `${signer().generation} ${hashed}`
    const version = versionOf(name, by)
    const known = made.get(name)
    if (known?.by === by && known.record.header.version === version) return known.record
    const etag = hashed.slice(0, 22)
    const record = signRecord(signer(), { ...address, version, oldest: 0, etag }, content)
    made.set(name, { record, by })
    return record
  }
}

/** Lists what belongs to a whole organization or to the server. In the order of ids, so that every process has the same text. */
function listShared(
  { keyCache, dataKeys }: Pick<ReplicaRecordsDeps, 'keyCache' | 'dataKeys'>,
  orgIds: readonly string[],
): Shared[] {
  const saved = keyCache.save()
  const organizations = Map.groupBy(saved.organizations, ({ id }) => id)
  const keys = Map.groupBy(saved.keys, ({ orgId }) => orgId)
  const secrets = Map.groupBy(saved.secrets, ({ orgId }) => orgId)
  const wrapped = Map.groupBy(dataKeys(), ({ orgId }) => orgId)
  const ofOrganizations = orgIds.flatMap((orgId) => {
    const own = {
      organizations: organizations.get(orgId) ?? [],
      keys: inOrder(keys.get(orgId), ({ id }) => id),
      secrets: inOrder(secrets.get(orgId), ({ handle }) => handle),
    }
    const ownKeys = inOrder(wrapped.get(orgId), ({ version }) => version)
    return [
      { address: sharedAddress(orgId, 'keys'), content: JSON.stringify(own) },
      { address: sharedAddress(orgId, 'data-keys'), content: dataKeysFormat.render(ownKeys) },
    ]
  })
  const signingKeys = inOrder(saved.signingKeys, ({ id }) => id)
  return [
    ...ofOrganizations,
    { address: sharedAddress(noPart, 'token-keys'), content: JSON.stringify(signingKeys) },
  ]
}

function inOrder<T>(list: readonly T[] = [], by: (item: T) => string | number): T[] {
  return list.toSorted((one, other) => {
    const [first, second] = [by(one), by(other)]
    if (first === second) return 0
    return first < second ? -1 : 1
  })
}
