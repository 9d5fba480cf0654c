import { apiKeyKinds, keyAccesses } from '@signalbox/contract'
import { z } from 'zod'

/** A moment as PostgreSQL writes it into JSON, or as `Date` does. */
const moment = z.string().refine((text) => !Number.isNaN(Date.parse(text)))

const savedOrganization = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  deletedAt: moment.nullable(),
})

const savedKey = z.object({
  orgId: z.string(),
  id: z.string(),
  name: z.string(),
  kind: z.enum(apiKeyKinds),
  access: z.enum(keyAccesses),
  environmentIds: z.array(z.string()).nullable(),
  schemaIds: z.array(z.string()).nullable(),
  allowedOrigins: z.array(z.string()).nullable(),
  /** Files and upstreams of before 0006 have none. */
  allowedNetworks: z.array(z.string()).nullable().default(null),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
})

const savedSecret = z.object({
  orgId: z.string(),
  keyId: z.string(),
  handle: z.string(),
  /** SHA-256, base64. */
  hash: z.base64().length(44),
  expiresAt: moment.nullable(),
})

const savedSigningKey = z.object({
  id: z.string(),
  publicJwk: z.record(z.string(), z.unknown()),
  retired: z.boolean(),
})

const apiKeyRows = z.object({
  organizations: z.array(savedOrganization),
  keys: z.array(savedKey),
  secrets: z.array(savedSecret),
  signingKeys: z.array(savedSigningKey),
})

/** Holds the rows of a cache of API keys as plain data, as the database and the file on the disk have them. */
export type ApiKeyRows = z.output<typeof apiKeyRows>
export type SavedOrganization = z.output<typeof savedOrganization>
export type SavedKey = z.output<typeof savedKey>
export type SavedSecret = z.output<typeof savedSecret>

/** Parses rows from a file or the database. Throws when they are malformed. */
export function parseApiKeyRows(rows: unknown): ApiKeyRows {
  return apiKeyRows.parse(rows)
}
