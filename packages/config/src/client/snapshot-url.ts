/** Where configuration is read, by ids or by names, as the providers of the frameworks take it. */
export interface SnapshotPlace {
  /** Example: `https://config.example.com`. */
  readonly baseUrl: string
  /** A browser key, `sbx_b2m_…`. */
  readonly apiKey: string
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
  /** Id or name. An organization with several schemas takes a key that may read one of them, or the ids. */
  readonly orgId?: string | undefined
  /** Id or name. Example: `production`. */
  readonly environment?: string | undefined
}

/**
 * The address that a browser reads the snapshot at. The same text wherever it is made, because a preloaded answer is
 * found by it. Names and ids need no encoding.
 */
export function snapshotUrl({
  baseUrl,
  apiKey,
  schemaId,
  environmentId,
  orgId,
  environment,
}: SnapshotPlace): string {
  const path = orgId
    ? `organizations/${orgId}/config/snapshot?environment=${environment}&`
    : `snapshots/${schemaId}/${environmentId}?`
  return `${baseUrl.replace(/\/$/, '')}/${path}apiKey=${apiKey}`
}
