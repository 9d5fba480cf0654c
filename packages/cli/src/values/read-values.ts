import { claimedTokenKind } from '@signalbox/contract'
import type { StoredValues } from '../api/operations.ts'
import type { SchemaTarget } from '../target.ts'

/**
 * The values of the environment with those of secrets, as far as the token may read them. A person's
 * token has to ask for secrets, which the server writes to its audit log; a server key sees them anyway.
 */
export function readValues(target: SchemaTarget): Promise<StoredValues> {
  return readStored(target, { reveal: claimedTokenKind(target.api.token) === 'pat' })
}

/** The same without the values of secrets, and without an entry in the audit log. */
export function readPresentedValues(target: SchemaTarget): Promise<StoredValues> {
  return readStored(target, { reveal: false })
}

function readStored(
  { api, organization, schema, environment }: SchemaTarget,
  { reveal }: { readonly reveal: boolean },
): Promise<StoredValues> {
  return api.call('getConfigValues', {
    params: { org_id: organization.id },
    query: { schemaId: schema.id, environmentId: environment.id, ...(reveal ? { reveal } : {}) },
  })
}
