/** Identifies a schema in an environment among all organizations: `sch_…/env_…`. */
export type SnapshotKey = string

/** Describes what the snapshots for browsers and for servers have in common. Everyone may see it. */
export interface Published {
  readonly orgId: string
  readonly schemaId: string
  /** Holds the schema's name at this version. */
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly version: number
  /** Identifies the content among all versions; stands in the `ETag` header between quotes. */
  readonly etag: string
}

/** Returns the key of a snapshot: `sch_…/env_…`. */
export function snapshotKeyOf({
  schemaId,
  environmentId,
}: Pick<Published, 'schemaId' | 'environmentId'>): SnapshotKey {
  return `${schemaId}/${environmentId}`
}
