import { valueSources } from '@signalbox/contract'
import { z } from 'zod'
import type { WrappedDataKey } from '../../crypto/data-keys.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import type { Signed } from '../../replica/signed.ts'
import type { ServerRow } from '../server/server-item.ts'

const published = {
  orgId: z.string(),
  schemaId: z.string(),
  schema: z.string(),
  environmentId: z.string(),
  environment: z.string(),
  version: z.number().int().nonnegative(),
  etag: z.string(),
  body: z.string(),
}

const savedBrowserRow = z.object({
  ...published,
  flagSources: z.record(z.string(), z.enum(valueSources)),
  flagRules: z.record(z.string(), z.string()),
  // Relays and files of older releases have none.
  flagVersions: z.record(z.string(), z.number().int()).default({}),
  signature: z.string().nullable(),
})

const savedServerRow = z.object({
  ...published,
  sealedSecrets: z.base64().nullable(),
  sealedSignature: z.base64().nullable(),
})

const savedDataKeys = z.array(
  z.object({ orgId: z.string(), version: z.number().int(), wrapped: z.base64() }),
)

const savedMark = z.object({ text: z.string(), signatures: z.string() })

const savedPublicKeys = z.array(z.string())

const savedAsOf = z.object({ asOf: z.iso.datetime() })

/** Describes how rows become the text of a file and are read back. `parse` throws when the text has the wrong shape. */
export interface RowFormat<Row> {
  render(row: Row): string
  parse(text: string): Row
}

/** Writes the snapshots for browsers as JSON. */
export const browserFormat: RowFormat<BrowserRow> = {
  render: (row) => JSON.stringify(savedBrowserRow.parse(row)),
  parse: (text) => savedBrowserRow.parse(JSON.parse(text)),
}

/** Writes the snapshots for servers as JSON. Secrets stay sealed, as they were published. */
export const serverFormat: RowFormat<ServerRow> = {
  render: (row) => {
    const sealedSecrets = row.sealedSecrets?.toString('base64') ?? null
    const sealedSignature = row.sealedSignature?.toString('base64') ?? null
    return JSON.stringify(savedServerRow.parse({ ...row, sealedSecrets, sealedSignature }))
  },
  parse(text) {
    const { sealedSecrets, sealedSignature, ...row } = savedServerRow.parse(JSON.parse(text))
    return {
      ...row,
      sealedSecrets: toBytes(sealedSecrets),
      sealedSignature: toBytes(sealedSignature),
    }
  },
}

function toBytes(base64: string | null): Buffer | null {
  return base64 === null ? null : Buffer.from(base64, 'base64')
}

/** Writes the newest mark that a relay believed. */
export const markFormat: RowFormat<Signed> = {
  render: (mark) => JSON.stringify(mark),
  parse: (text) => savedMark.parse(JSON.parse(text)),
}

/** Writes the public halves of the keys that sign snapshots as JSON. */
export const publicKeysFormat: RowFormat<readonly string[]> = {
  render: (keys) => JSON.stringify(keys),
  parse: (text) => savedPublicKeys.parse(JSON.parse(text)),
}

/** Writes the wrapped data keys as JSON, their bytes as base64. */
export const dataKeysFormat: RowFormat<readonly WrappedDataKey[]> = {
  render: (keys) =>
    JSON.stringify(
      keys.map(({ orgId, version, wrapped }) => ({
        orgId,
        version,
        wrapped: wrapped.toString('base64'),
      })),
    ),
  parse: (text) =>
    savedDataKeys.parse(JSON.parse(text)).map(({ orgId, version, wrapped }) => ({
      orgId,
      version,
      wrapped: Buffer.from(wrapped, 'base64'),
    })),
}

/** Writes the moment up to which the files equal the database: `{"asOf":"2026-11-21T06:00:00.000Z"}`. */
export const asOfFormat: RowFormat<Date> = {
  render: (asOf) => JSON.stringify({ asOf: asOf.toISOString() }),
  parse: (text) => new Date(savedAsOf.parse(JSON.parse(text)).asOf),
}
