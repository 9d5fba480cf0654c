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
  /** The source of the value of each flag and each targeted key. One that is `missing` is not in the body. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /**
   * The texts of the rules of flags and targeted keys that have some, their segments written out: of a plain flag the list of its
   * rules, of anything else a `Targeting`, which a flag with variants always has. Never sent to a browser.
   */
  readonly flagRules: Readonly<Record<string, string>>
  /** The header `Signalbox-Signature`. */
  readonly signature: string
  /** The generation of the keys that signed. */
  readonly signedBy: number
}

/** Describes what server keys read of a schema in an environment. */
export interface PublishedServer extends PublishedRow {
  /** Counts every change. */
  readonly version: number
  /** The JSON text of a `ServerSnapshot` without its last member `secret`. */
  readonly body: string
  /** The JSON object of the secrets, sealed for the address that `sealedSecretsAddress` returns. */
  readonly sealedSecrets: Buffer
  /**
   * The header `Signalbox-Signature` of the snapshot with its secrets, sealed for the address that `sealedSignatureAddress`
   * returns. Open, it would confirm a guess at the secrets to anyone who can read the database.
   */
  readonly sealedSignature: Buffer
  /** The generation of the keys that signed. */
  readonly signedBy: number
}

/** Returns what binds the secrets of a published row to it: they open with this version of this row only. */
export function sealedSecretsAddress(
  row: Pick<PublishedServer, 'orgId' | 'schemaId' | 'environmentId' | 'version'>,
): string {
  return `${row.orgId}|server_snapshots|${row.schemaId}|${row.environmentId}|${row.version}`
}

/** Returns what binds the signature of a published row to it, as `sealedSecretsAddress` does for the secrets. */
export function sealedSignatureAddress(row: Parameters<typeof sealedSecretsAddress>[0]): string {
  return `${sealedSecretsAddress(row)}|signature`
}

/** Renders what a server key reads: the stored body, and its secrets as the last member. */
export function renderServerSnapshot(body: string, secrets: string): string {
  return `${body.slice(0, body.lastIndexOf('}'))},"secret":${secrets}}`
}
