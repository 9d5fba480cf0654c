/** Describes the snapshot that a browser reads: by ids, or by names. */
export interface SnapshotSource {
  /** Example: `https://config.example.com`. */
  readonly baseUrl: string
  /** A browser key, `sbx_b2m_…`. */
  readonly apiKey: string
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
  /** Id or name. */
  readonly orgId?: string | undefined
  /** Id or name. Example: `production`. */
  readonly environment?: string | undefined
  /** Id or name. Needed when the key may read several. */
  readonly schema?: string | undefined
}

/**
 * Returns the option `path` of a client that reads by names, which need no encoding. An empty `schema` means the
 * only one.
 */
export const namedPath = (
  orgId: string,
  environment: string | undefined,
  schema: string | undefined = '',
): string => `/organizations/${orgId}/config/snapshot?environment=${environment}&schema=${schema}&`

/**
 * Returns the address that a client in a browser requests, character by character, because a preloaded response is
 * matched by it.
 */
export function snapshotUrl(source: SnapshotSource): string {
  const { baseUrl, apiKey, schemaId, environmentId, orgId, environment, schema } = source
  const path = orgId
    ? namedPath(orgId, environment, schema)
    : `/snapshots/${schemaId}/${environmentId}?`
  return `${baseUrl.replace(/\/$/, '')}${path}apiKey=${apiKey}`
}

declare global {
  /** Holds the source of the page for everything in it that reads configuration. `@signalbox/vite` writes it. */
  var signalbox: Partial<SnapshotSource> | undefined
}
