import type { Author, Matrix, MatrixKey } from './matrix.ts'

/** Describes who changed a key last, where and when. */
export interface LastChange {
  readonly author: Author
  readonly environment: string
  readonly at: string
}

/** Returns the newest value that an environment sets of a key; `undefined` when none does. */
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
 * Returns since when a flag has been the same everywhere, when that is more than thirty days: nothing is decided by it any more.
 * One that no environment sets was never turned, and one with rules is decided anew for each reader.
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
