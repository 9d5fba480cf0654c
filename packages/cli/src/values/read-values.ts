import { claimedTokenKind } from '@signalbox/contract'
import type { StoredValues } from '../api/operations.ts'
import { ApiError } from '../api/problem-error.ts'
import type { SchemaTarget } from '../target.ts'

/**
 * Returns the values of the environment, with those secrets that the token may read. With a person's token it
 * requests the secrets explicitly, which the server records in its audit log; a server key receives them anyway.
 */
export function readValues(target: SchemaTarget): Promise<StoredValues> {
  return readStored(target, { reveal: isPerson(target) })
}

/** Returns the values with one secret among them, so that the audit log records that no other was read. */
export function readRevealed(target: SchemaTarget, key: string): Promise<StoredValues> {
  return readStored(target, { reveal: isPerson(target), key: [key] })
}

/** Returns the values of the environment with secrets, or without them where the person may not read any. */
export async function readPermittedValues(target: SchemaTarget): Promise<StoredValues> {
  try {
    return await readValues(target)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'role_forbidden') throw error
    return readPresentedValues(target)
  }
}

/** Returns the values of the environment without secrets, and without an entry in the audit log. */
export function readPresentedValues(target: SchemaTarget): Promise<StoredValues> {
  return readStored(target, { reveal: false })
}

function isPerson({ api }: SchemaTarget): boolean {
  return claimedTokenKind(api.token) === 'pat'
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
