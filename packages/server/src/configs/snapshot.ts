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

/** Describes what browser keys read of a schema in an environment. No field can hold a secret. */
export interface PublishedBrowser extends PublishedRow {
  /** Counts the changes that a browser can see, and no others. */
  readonly version: number
  /** The exact JSON text of a `BrowserSnapshot`. */
  readonly body: string
  /** The source of each flag's value, by the flag. A flag that is `missing` is not in the body. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** The texts of the rules of those flags that have some. Never sent to a browser. */
  readonly flagRules: Readonly<Record<string, string>>
}

/** Describes what server keys read of a schema in an environment. */
export interface PublishedServer extends PublishedRow {
  /** Counts every change. */
  readonly version: number
  /** The JSON text of a `ServerSnapshot` without its last member `secret`. */
  readonly body: string
  /** The JSON object of the secrets, sealed for the address that `sealedSecretsAddress` returns. */
  readonly sealedSecrets: Buffer
}

/** Returns what binds the secrets of a published row to it: they open with this version of this row only. */
export function sealedSecretsAddress(
  row: Pick<PublishedServer, 'orgId' | 'schemaId' | 'environmentId' | 'version'>,
): string {
  return `${row.orgId}|server_snapshots|${row.schemaId}|${row.environmentId}|${row.version}`
}
