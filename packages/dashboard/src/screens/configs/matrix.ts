import { canonicalJson, type ConfigValue, type Tier } from '@signalbox/contract'
import { useRead } from '../../api/use-api.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { useOrganization } from '../../session/organization.ts'

/** Describes the values of a schema in every environment. */
export type Matrix = AnswerOf<'GET /organizations/{org_id}/config-matrix'>
/** Describes one key of the matrix, with a cell for each environment. */
export type MatrixKey = Matrix['keys'][number]
/** Describes the value of a key in one environment, and where it comes from. */
export type MatrixCell = MatrixKey['cells'][number]
/** Describes one column of the matrix. */
export type MatrixEnvironment = Matrix['environments'][number]
/** Describes who saved a value. */
export type Author = Matrix['authors'][number]

/** Returns every key of a schema in every environment. No secret is in it. */
export function useMatrix(schemaId: string | undefined) {
  const { params } = useOrganization()
  return useRead(
    'GET /organizations/{org_id}/config-matrix',
    { params, ...(schemaId !== undefined && { query: { schemaId } }) },
    { enabled: schemaId !== undefined },
  )
}

/** Returns names a cell among all of a schema. */
export function toCellId(environmentId: string, key: string): string {
  return `${environmentId}/${key}`
}

/**
 * Returns what a cell holds, as one text: while it is the same, nobody has changed the cell. A secret is known by when it was set,
 * as its mark is counted anew for each answer.
 */
export function toCellText(tier: Tier, { source, value, rules, updatedAt }: MatrixCell): string {
  return canonicalJson(tier === 'secret' ? { source, updatedAt } : { source, value, rules })
}

/** Describes where a key is, in a matrix. */
export interface CellRef {
  readonly row: MatrixKey
  readonly cell: MatrixCell
  readonly environment: MatrixEnvironment
}

/** Finds the cell of a key in an environment; `undefined` when the schema or the organization has lost it. */
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

/** Returns whether a change of the environment asks for more than a press: it is production, or protected. */
export function asksFirst({
  production,
  protection,
}: Pick<MatrixEnvironment, 'production' | 'protection'>): boolean {
  return production || protection.confirm || protection.comment
}

/** Returns who set the value of a cell. */
export function authorOf({ authors }: Matrix, { updatedBy }: MatrixCell): Author | undefined {
  return updatedBy === undefined ? undefined : authors[updatedBy]
}

/** Returns a value as a text in one line: `on` or `off` like the switches. Line ends and tabs are shown as signs. */
export function toValueText(value: ConfigValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value)
    .replaceAll(/\r\n?|\n/g, '⏎')
    .replaceAll('\t', '⇥')
}

/** Lists the word for each tier. */
export const tierWords: Readonly<Record<Tier, string>> = {
  public: 'public',
  secret: 'secret',
  featureFlags: 'flag',
}
