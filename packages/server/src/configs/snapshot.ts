import type { ValueSource } from '@signalbox/contract'

interface PublishedRow {
  readonly orgId: string
  readonly schemaId: string
  /** The name of the schema. */
  readonly schema: string
  readonly environmentId: string
  /** The name of the environment. */
  readonly environment: string
  /** The content of a strong ETag; the header has it in quotes. */
  readonly etag: string
}

/** What browser keys read of a schema in an environment. There is no field that could hold a secret. */
export interface PublishedBrowser extends PublishedRow {
  /** Counts the changes that a browser can see, and no others. */
  readonly version: number
  /** The exact JSON text of a `BrowserSnapshot`. */
  readonly body: string
  /** Where the value of each flag comes from. A flag that is `missing` is not in the body. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** The texts of the rules of those flags that have some. Never sent to a browser. */
  readonly flagRules: Readonly<Record<string, string>>
}

/** What server keys read of a schema in an environment. */
export interface PublishedServer extends PublishedRow {
  /** Counts every change. */
  readonly version: number
  /** The JSON text of a `ServerSnapshot` without its last member `secret`. */
  readonly body: string
  /** The JSON object of the secrets, sealed for the place `sealedSecretsAddress` names. */
  readonly sealedSecrets: Buffer
}

/** The place that the secrets of a published row are sealed for: they open with this version of this row only. */
export function sealedSecretsAddress(
  row: Pick<PublishedServer, 'orgId' | 'schemaId' | 'environmentId' | 'version'>,
): string {
  return `${row.orgId}|server_snapshots|${row.schemaId}|${row.environmentId}|${row.version}`
}
