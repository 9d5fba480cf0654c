import type { Author, Matrix, MatrixKey } from './matrix.ts'

/** Describes the last change of a key: its author, environment and time. */
export interface LastChange {
  readonly author: Author
  readonly environment: string
  readonly at: string
}

/** Returns the last change of a key among the environments that set it. `undefined`: none does. */
export function findLastChange(
  { environments, authors }: Pick<Matrix, 'environments' | 'authors'>,
  { cells }: Pick<MatrixKey, 'cells'>,
): LastChange | undefined {
  let last: LastChange | undefined
  for (const [column, { source, updatedAt, updatedBy }] of cells.entries()) {
    const environment = environments[column]
    const author = authors[updatedBy ?? -1]
    // An inherited value was changed in the environment that sets it.
    if (source !== 'set' || updatedAt === undefined || !author || !environment) continue
    if (last === undefined || updatedAt > last.at)
      last = { author, environment: environment.name, at: updatedAt }
  }
  return last
}

const settledForDays = 30
const dayMs = 24 * 3600 * 1000

/**
 * Returns since when a flag has been the same everywhere, if that is more than thirty days: the program no longer
 * needs it. It ignores flags that were never set, and flags with rules, which are evaluated for each reader.
 */
export function findSettled(
  matrix: Pick<Matrix, 'environments' | 'authors'>,
  row: Pick<MatrixKey, 'cells' | 'tier'>,
  now: number,
): string | undefined {
  const [first] = row.cells
  const at = findLastChange(matrix, row)?.at
  if (row.tier !== 'featureFlags' || first?.value === undefined || at === undefined)
    return undefined
  const isSame = row.cells.every(
    ({ value, rules = [] }) => value === first.value && rules.length === 0,
  )
  return isSame && now - Date.parse(at) > settledForDays * dayMs ? at : undefined
}
