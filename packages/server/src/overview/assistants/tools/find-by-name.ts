import { nearestName, Problem } from '@signalbox/contract'
import {
  configMatrixEndpoints,
  configSchemaEndpoints,
  environmentEndpoints,
  type ResponseOf,
} from '@signalbox/contract/rest'
import { z } from 'zod'
import type { ToolContext } from '../tool.ts'

/** Describes an environment as tools need it. */
export type Environment = ResponseOf<typeof environmentEndpoints.listEnvironments>['items'][number]
/** Describes a schema as tools need it. */
export type Schema = ResponseOf<typeof configSchemaEndpoints.listConfigSchemas>['items'][number]
/** Describes the matrix of a schema. */
export type Matrix = ResponseOf<typeof configMatrixEndpoints.getConfigMatrix>

const page = { limit: '100' }

export const schemaName = z.string().max(63).describe('Name or id of the schema')
export const environmentName = z.string().max(63).describe('Name or id of the environment')

/** Lists the environments of the organization. */
export async function listEnvironments({ call }: ToolContext): Promise<readonly Environment[]> {
  return (await call(environmentEndpoints.listEnvironments, { query: page })).items
}

/** Returns the environment of a name or id. @throws {Problem} `not_found` with the names that exist */
export async function findEnvironment(context: ToolContext, ref: string): Promise<Environment> {
  return pick('environment', ref, await listEnvironments(context))
}

/** Returns the schema of a name or id. @throws {Problem} `not_found` with the names that exist */
export async function findSchema({ call }: ToolContext, ref: string): Promise<Schema> {
  const { items } = await call(configSchemaEndpoints.listConfigSchemas, { query: page })
  return pick('schema', ref, items)
}

/** Reads the matrix of a schema, of some of its environments. */
export async function readMatrix(
  { call }: ToolContext,
  schema: Pick<Schema, 'id'>,
  environments?: readonly Pick<Environment, 'id'>[],
): Promise<Matrix> {
  const environmentId = environments?.map(({ id }) => id)
  return call(configMatrixEndpoints.getConfigMatrix, {
    query: { schemaId: schema.id, environmentId },
  })
}

/** Returns the row of a key. @throws {Problem} `unknown_key` with the most similar name */
export function findKey({ keys }: Matrix, key: string): Matrix['keys'][number] {
  const row = keys.find((one) => one.key === key)
  if (row !== undefined) return row
  const nearest = nearestName(
    key,
    keys.map((one) => one.key),
  )
  const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  throw new Problem('unknown_key', `The schema has no such key.${advice}`)
}

function pick<T extends { readonly id: string; readonly name: string }>(
  kind: string,
  ref: string,
  all: readonly T[],
): T {
  const match =
    all.find(({ id, name }) => id === ref || name === ref) ??
    all.find(({ name }) => name.toLowerCase() === ref.toLowerCase())
  if (match !== undefined) return match
  const names = all.map(({ name }) => name).slice(0, 50)
  throw new Problem(
    'not_found',
    `There is no such ${kind}. The organization has: ${names.join(', ')}.`,
  )
}
