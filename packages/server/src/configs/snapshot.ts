/** Which published row of secrets is meant. */
export interface SealedSecretsRow {
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  /** Counts every change, those of secrets included. */
  readonly version: number
}

/** The place that the secrets of a published row are sealed for: they open with this version of this row only. */
export function sealedSecretsPlace(row: SealedSecretsRow): string {
  return `${row.orgId}|server_snapshots|${row.schemaId}|${row.environmentId}|${row.version}`
}
