import { toData } from '../untrusted.ts'
import type { Matrix } from './find-by-name.ts'

type Row = Matrix['keys'][number]

/** Locates a cell: its row, and its place among the environments of the matrix. */
export interface CellPosition {
  readonly row: Row
  readonly cell: Row['cells'][number]
  readonly index: number
}

/** Returns what an assistant sees of a key in one environment. A secret has no value. */
export function presentCell(matrix: Matrix, { row, cell, index }: CellPosition) {
  const environment = matrix.environments[index]
  const { source, inheritedFrom, rules, updatedAt, updatedBy } = cell
  const author = updatedBy === undefined ? undefined : matrix.authors[updatedBy]
  return {
    environment: environment?.name,
    version: environment?.version,
    source,
    inheritedFrom: matrix.environments.find(({ id }) => id === inheritedFrom)?.name,
    ...(row.tier !== 'secret' && { value: cell.value, rules }),
    updatedAt,
    ...(author !== undefined && { untrusted: { updatedBy: toData(author.name) } }),
  }
}
