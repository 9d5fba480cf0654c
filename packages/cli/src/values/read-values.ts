import { claimedTokenKind } from '@signalbox/contract'
import type { StoredValues } from '../api/operations.ts'
import type { SchemaTarget } from '../target.ts'

/**
 * Returns the values of the environment, with those secrets that the token may read. With a person's token it
 * requests the secrets explicitly, which the server records in its audit log; a server key receives them anyway. `only`
 * names the keys to read, so that the log names no other; by default all.
 */
export function readValues(target: SchemaTarget, only?: readonly string[]): Promise<StoredValues> {
  const reveal = claimedTokenKind(target.api.token) === 'pat'
  return readStored(target, { reveal, ...(only === undefined ? {} : { key: [...only] }) })
}

/** Returns the values of the environment without secrets, and without an entry in the audit log. */
export function readPresentedValues(target: SchemaTarget): Promise<StoredValues> {
  return readStored(target, { reveal: false })
}

function readStored(
  { api, organization, schema, environment }: SchemaTarget,
  { reveal, ...selection }: { readonly reveal: boolean; readonly key?: string[] },
): Promise<StoredValues> {
  return api.call('getConfigValues', {
    params: { org_id: organization.id },
    query: {
      schemaId: schema.id,
      environmentId: environment.id,
      ...selection,
      ...(reveal ? { reveal } : {}),
    },
  })
}
