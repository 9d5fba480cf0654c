import { claimedTokenKind } from '@signalbox/contract'
import type { StoredValues } from '../api/operations.ts'
import type { SchemaTarget } from '../target.ts'

/**
 * Returns the values of the environment, with those secrets that the token may read. With a person's token it
 * requests the secrets explicitly, which the server records in its audit log; a server key receives them anyway.
 */
export function readValues(target: SchemaTarget): Promise<StoredValues> {
  return readStored(target, { reveal: claimedTokenKind(target.api.token) === 'pat' })
}

/** Returns the values of the environment without secrets, and without an entry in the audit log. */
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
