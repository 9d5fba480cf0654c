import { z } from 'zod'
import type { Grant } from '../../providers/grant.ts'
import type { Sealer } from '../../vault/organization-keys.ts'

/** Says where a grant is stored. The generation is part of it, so that an old row cannot be put back. */
export interface GrantRef {
  readonly orgId: string
  readonly integrationId: string
  readonly generation: number
}

const stored = z.strictObject({
  accessToken: z.string(),
  accessExpiresAt: z.coerce.date().nullable(),
  refreshToken: z.string().nullable(),
  refreshExpiresAt: z.coerce.date().nullable(),
  scopes: z.array(z.string()),
})

const contextOf = ({ orgId, integrationId, generation }: GrantRef) =>
  `${orgId}|integration_credentials|${integrationId}|${generation}`

/** Seals a grant for the database. */
export function sealGrant(sealer: Sealer, ref: GrantRef, grant: Grant): Buffer {
  return sealer.seal(contextOf(ref), JSON.stringify(grant))
}

/** Opens a sealed grant. @throws {UnsealError} when it was changed or moved, or is of another generation. */
export function openGrant(sealer: Sealer, ref: GrantRef, sealed: Buffer): Grant {
  return stored.parse(JSON.parse(sealer.open(contextOf(ref), sealed).toString('utf8')))
}
