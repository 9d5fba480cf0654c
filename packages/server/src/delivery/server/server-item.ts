import { renderServerSnapshot, sealedSecretsAddress } from '../../config-model/snapshot.ts'
import { renderEtag } from '../http/etag.ts'
import type { Rendered } from '../http/encoded-body.ts'
import { renderVariables, type Variables } from '../http/render-variables.ts'
import type { Published } from '../cache/published.ts'
import { openContent, secretContent } from '../cache/snapshot-content.ts'

/** Describes a published row for servers. Its secrets stay sealed in memory. */
export interface ServerRow extends Published {
  /** Holds the JSON text of the snapshot without its member `secret`. */
  readonly body: string
  /** Holds the sealed JSON text of the member `secret`; `null` when the snapshot has no secrets. */
  readonly sealedSecrets: Buffer | null
  /** Holds the sealed header `Signalbox-Signature`; `null` until the row is signed. */
  readonly sealedSignature: Buffer | null
}

/** Returns the context that a snapshot's secrets are sealed for. They open in no other one. */
export function secretsContext(row: Published): string {
  return sealedSecretsAddress(row)
}

/** Returns the `ETag` header of a server's answer, which is sent uncompressed. */
export function etagOf(etag: string): string {
  return renderEtag(etag, 'identity')
}

/** Renders the snapshot with its secrets; `secrets` is their JSON text. */
export function renderSnapshot({ body }: ServerRow, secrets: string): string {
  return renderServerSnapshot(body, secrets)
}

/** Parses the values of every tier, for one answer. */
function readContent({ body }: ServerRow, secrets: string) {
  return {
    ...openContent.parse(JSON.parse(body)),
    secret: secretContent.parse(JSON.parse(secrets)),
  }
}

/** Renders every value under its key, without tiers. */
export function renderValues(row: ServerRow, secrets: string): string {
  const content = readContent(row, secrets)
  const values = { ...content.public, ...content.featureFlags, ...content.secret }
  const { environment, schema, version } = row
  return JSON.stringify({ values, environment, schema, version })
}

/** Renders the values as environment variables. @throws {Problem} `unusable_variable` */
export function renderRowVariables(
  row: ServerRow,
  secrets: string,
  variables: Variables,
): Rendered {
  const { secret, variables: declared, ...open } = readContent(row, secrets)
  return renderVariables(
    { open: { ...open.public, ...open.featureFlags }, secret, variables: declared },
    variables,
  )
}

/** Renders one value; `undefined` when the snapshot has no such key. */
export function renderValue(row: ServerRow, secrets: string, key: string): string | undefined {
  const content = readContent(row, secrets)
  for (const tier of ['public', 'featureFlags', 'secret'] as const) {
    if (!Object.hasOwn(content[tier], key)) continue
    return JSON.stringify({ key, value: content[tier][key], tier, version: row.version })
  }
  return undefined
}

/** Returns whether a key is one of the secrets; `secrets` is their JSON text. */
export function hasSecret(secrets: string, key: string): boolean {
  return Object.hasOwn(secretContent.parse(JSON.parse(secrets)), key)
}
