/** Describes the snapshot that an address asks for. */
export interface RequestedSnapshot {
  /** Identifies the address without its host and key. */
  readonly address: string
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
  /** Set for the address of one version. */
  readonly version?: number | undefined
  /** Id or name. */
  readonly orgId?: string | undefined
  /** Id or name. */
  readonly environment?: string | undefined
  /** Id or name; empty for the only one. */
  readonly schema?: string | undefined
}

const byIds = /\/snapshots\/([^/]+)\/([^/]+?)(?:\/(\d+))?$/
const byNames = /\/organizations\/([^/]+)\/config\/snapshot$/

/** Returns what is asked for at a URL; `undefined` when that is no snapshot. */
export function findRequestedSnapshot(url: string): RequestedSnapshot | undefined {
  const { pathname, searchParams } = new URL(url)
  const [address, schemaId, environmentId, version] = byIds.exec(pathname) ?? []
  if (address !== undefined) {
    return { address, schemaId, environmentId, version: version ? Number(version) : undefined }
  }
  const [named, orgId] = byNames.exec(pathname) ?? []
  if (named === undefined || orgId === undefined) return undefined
  const environment = searchParams.get('environment') ?? ''
  const schema = searchParams.get('schema') ?? ''
  return {
    address: `${named}?environment=${environment}&schema=${schema}`,
    orgId: decodeURIComponent(orgId),
    environment,
    schema,
  }
}

/** Describes the members of a snapshot that say whose it is. */
export interface SnapshotNames {
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly version: number
}

/** Returns what a snapshot is instead of what was requested; `undefined` when it matches. */
export function findMismatch(requested: RequestedSnapshot, is: SnapshotNames): string | undefined {
  const { schemaId, environmentId, version, environment, schema } = requested
  if (schemaId !== undefined && schemaId !== is.schemaId) return `the schema ${is.schemaId}`
  if (environmentId !== undefined && environmentId !== is.environmentId) {
    return `the environment ${is.environmentId}`
  }
  if (version !== undefined && version !== is.version) return `version ${is.version}`
  if (environment && !names(environment, is.environmentId, is.environment)) {
    return `the environment ${is.environment}`
  }
  if (schema && !names(schema, is.schemaId, is.schema)) return `the schema ${is.schema}`
  return undefined
}

const names = (requested: string, id: string, name: string) =>
  requested === id || requested.toLowerCase() === name.toLowerCase()
