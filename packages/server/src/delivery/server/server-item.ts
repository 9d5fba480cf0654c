import { renderEtag } from '../http/etag.ts'
import type { Published } from '../cache/published.ts'
import { openContent, secretContent } from '../cache/snapshot-content.ts'

/** A published row for servers. Its secrets stay sealed in memory. */
export interface ServerRow extends Published {
  /** JSON text of the snapshot without its member `secret`. */
  readonly body: string
  /** Sealed JSON text of the member `secret`; `null` when there was none to seal. */
  readonly sealedSecrets: Buffer | null
}

/** The place its secrets were sealed for. They open nowhere else. */
export function secretsContext({ orgId, schemaId, environmentId, version }: Published): string {
  return `${orgId}|server_snapshots|${schemaId}|${environmentId}|${version}`
}

export function etagOf({ etag }: ServerRow): string {
  return renderEtag(etag, 'identity')
}

/** The snapshot with its secrets, given as the JSON text they were sealed as. */
export function renderSnapshot({ body }: ServerRow, secrets: string): string {
  return `${body.slice(0, body.lastIndexOf('}'))},"secret":${secrets}}`
}

/** Values of every tier. Made for one answer and not kept. */
function readContent({ body }: ServerRow, secrets: string) {
  return {
    ...openContent.parse(JSON.parse(body)),
    secret: secretContent.parse(JSON.parse(secrets)),
  }
}

/** Every value under its key, without tiers. */
export function renderValues(row: ServerRow, secrets: string): string {
  const content = readContent(row, secrets)
  const values = { ...content.public, ...content.featureFlags, ...content.secret }
  const { environment, schema, version } = row
  return JSON.stringify({ values, environment, schema, version })
}

/** One value, or `undefined` when the snapshot has none of this key. */
export function renderValue(row: ServerRow, secrets: string, key: string): string | undefined {
  const content = readContent(row, secrets)
  for (const tier of ['public', 'featureFlags', 'secret'] as const) {
    if (!Object.hasOwn(content[tier], key)) continue
    return JSON.stringify({ key, value: content[tier][key], tier, version: row.version })
  }
  return undefined
}
