import type { GridColumn } from '../grid/grid-model.ts'
import type { Matrix } from '../matrix.ts'

/** Describes how a person arranges the environments, by their names. New environments stand at the end. */
export interface Arrangement {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
}

/** Holds the arrangement in which the server lists the environments, and all are shown. */
export const plainArrangement: Arrangement = { order: [], hidden: [] }

/** Returns the columns in the order of an arrangement, without hidden ones. `needed` are shown although they are hidden. */
export function arrangeColumns(
  { environments }: Pick<Matrix, 'environments'>,
  { order, hidden }: Arrangement,
  needed: readonly (string | undefined)[] = [],
): readonly GridColumn[] {
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const all = environments.map((environment, at) => ({ environment, at, names }))
  const positionOf = (name: string) => {
    const position = order.indexOf(name)
    return position === -1 ? order.length : position
  }
  const ordered = all.toSorted(
    (one, other) => positionOf(one.environment.name) - positionOf(other.environment.name),
  )
  const visible = ordered.filter(
    ({ environment: { name } }) => !hidden.includes(name) || needed.includes(name),
  )
  return visible.length === 0 ? ordered : visible
}

/** Returns the column that a phone shows: the chosen one, or else production, or else the first. */
export function pickColumn(
  columns: readonly GridColumn[],
  ...chosen: readonly (string | null | undefined)[]
): GridColumn | undefined {
  for (const name of chosen) {
    const column = columns.find(({ environment }) => environment.name === name)
    if (column !== undefined) return column
  }
  return columns.find(({ environment }) => environment.production) ?? columns[0]
}

/** Returns the arrangement after an environment was moved by one position. */
export function moveEnvironment(
  names: readonly string[],
  { hidden }: Arrangement,
  name: string,
  step: -1 | 1,
): Arrangement {
  const at = names.indexOf(name)
  const order = names.filter((one) => one !== name)
  order.splice(Math.max(0, at + step), 0, name)
  return { order, hidden }
}

/** Reads a stored arrangement. Anything else is the plain one. */
export function readArrangement(text: string | null): Arrangement {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (typeof stored !== 'object' || stored === null) return plainArrangement
    const { order, hidden } = { order: [], hidden: [], ...stored }
    return { order: readNames(order), hidden: readNames(hidden) }
  } catch {
    return plainArrangement
  }
}

function readNames(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
}
