import { canonicalJson, toVariableText, type ConfigValue, type Tier } from '@signalbox/contract'
import { useRead } from '../../api/use-api.ts'
import type { AnswerOf } from '../../api/routes.ts'

/** Describes the values of a schema in every environment. */
export type Matrix = AnswerOf<'GET /organizations/{org_id}/config-matrix'>
/** Describes one key of the matrix, with a cell for each environment. */
export type MatrixKey = Matrix['keys'][number]
/** Describes the value of a key in one environment, and where it comes from. */
export type MatrixCell = MatrixKey['cells'][number]
/** Lists the rules of a flag in their order. */
export type FlagRules = NonNullable<MatrixCell['rules']>
/** Describes one column of the matrix. */
export type MatrixEnvironment = Matrix['environments'][number]
/** Describes the author of a value. */
export type Author = Matrix['authors'][number]

/** Reads every key of a schema in every environment. The response holds no secrets. */
export function useMatrix(schemaId: string | undefined) {
  return useRead('GET /organizations/{org_id}/config-matrix', {
    ...(schemaId !== undefined && { query: { schemaId } }),
    enabled: schemaId !== undefined,
  })
}

/** Returns an id of a cell that is unique in a schema. */
export function toCellId(environmentId: string, key: string): string {
  return `${environmentId}/${key}`
}

/**
 * Returns the content of a cell as one text, to detect changes. A secret is represented by its time, because its mark
 * differs in each response.
 */
export function toCellText(tier: Tier, { source, value, rules, updatedAt }: MatrixCell): string {
  return canonicalJson(tier === 'secret' ? { source, updatedAt } : { source, value, rules })
}

/** Refers to a cell of the matrix. */
export interface CellRef {
  readonly row: MatrixKey
  readonly cell: MatrixCell
  readonly environment: MatrixEnvironment
}

/** Finds the cell of a key in an environment. `undefined`: the key or the environment is gone. */
export function findCell(
  { environments, keys }: Matrix,
  at: { readonly environmentId: string; readonly key: string },
): CellRef | undefined {
  const column = environments.findIndex(({ id }) => id === at.environmentId)
  const row = keys.find(({ key }) => key === at.key)
  const environment = environments[column]
  const cell = row?.cells[column]
  return row && cell && environment && { row, cell, environment }
}

/** Returns the author of a cell's value. */
export function authorOf({ authors }: Matrix, { updatedBy }: MatrixCell): Author | undefined {
  return updatedBy === undefined ? undefined : authors[updatedBy]
}

/** Returns a value in one line: `on` or `off` like the switches. Line breaks and tabs are shown as symbols. */
export function toValueText(value: ConfigValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return toVariableText(value)
    .replaceAll(/\r\n?|\n/g, '⏎')
    .replaceAll('\t', '⇥')
}

/** Lists the word for each tier. */
export const tierWords: Readonly<Record<Tier, string>> = {
  public: 'public',
  secret: 'secret',
  featureFlags: 'flag',
}
