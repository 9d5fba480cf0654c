/** A schema in an environment, by their ids. Unique over all organizations. Example: `sch_…/env_…`. */
export type PairKey = string

/** What the two kinds of snapshot have in common: whose they are, which version, and what may be told to anyone. */
export interface Published {
  readonly orgId: string
  readonly schemaId: string
  /** The schema's name at this version. */
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly version: number
  /** Names the content among all versions; stands in the `ETag` header between quotes. */
  readonly etag: string
}

export function pairKeyOf({
  schemaId,
  environmentId,
}: Pick<Published, 'schemaId' | 'environmentId'>): PairKey {
  return `${schemaId}/${environmentId}`
}
