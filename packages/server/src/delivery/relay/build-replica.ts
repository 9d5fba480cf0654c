import { nameByHash, renderListing, type Listing } from '../../replica/listing.ts'
import { manifestName, orgIdOf } from '../../replica/record-header.ts'
import { renderRecord, type ReplicaRecord } from './replica-record.ts'

/** Describes a manifest or a record, whose text is rendered when somebody asks for it. */
export interface BuiltObject {
  /** Holds the organization that it is about, `noPart` for what belongs to the server. */
  readonly orgId: string
  render(): string
}

/** Holds the manifests and records of a replica, by the SHA-256 under which each is fetched. */
export interface BuiltReplica {
  readonly objects: ReadonlyMap<string, BuiltObject>
  /** Lists the manifests. */
  readonly manifests: Listing
}

/** Lists records by environment. The same records give the same objects in every process. */
export function buildReplica(records: readonly ReplicaRecord[]): BuiltReplica {
  const objects = new Map<string, BuiltObject>()
  const byName = new Map<string, Map<string, string>>()
  for (const record of records) {
    const name = manifestName(record.header)
    const manifest = byName.get(name) ?? new Map<string, string>()
    byName.set(name, manifest.set(record.address, record.name))
    objects.set(record.name, { orgId: record.header.orgId, render: () => renderRecord(record) })
  }
  const manifests = new Map<string, string>()
  for (const [name, manifest] of byName) {
    const text = renderListing(manifest)
    const sha256 = nameByHash(text)
    objects.set(sha256, { orgId: orgIdOf(name), render: () => text })
    manifests.set(name, sha256)
  }
  return { objects, manifests }
}

/** Describes an index as it is sent. */
export interface BuiltIndex {
  readonly sha256: string
  readonly text: string
}

/** Lists the manifests of some organizations, and of the server. `undefined`: of every organization. */
export function buildIndex(manifests: Listing, orgIds?: ReadonlySet<string>): BuiltIndex {
  const listed = [...manifests].filter(([name]) => orgIds?.has(orgIdOf(name)) ?? true)
  const text = renderListing(new Map(listed))
  return { sha256: nameByHash(text), text }
}
