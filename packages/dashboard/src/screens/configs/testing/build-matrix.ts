import { unprotected } from '@signalbox/contract'
import type { Matrix, MatrixCell, MatrixKey } from '../matrix.ts'

/** The environments of `buildMatrix`, in their order. */
export const development = 'env_development'
export const production = 'env_production'

const at = '2026-11-21T06:00:00.000Z'

/** A cell that an environment sets itself. */
export function own(value: MatrixCell['value'], updatedAt = at): MatrixCell {
  return { source: 'set', updatedAt, updatedBy: 0, ...(value !== undefined && { value }) }
}

/** A key with a cell for development and one for production. */
export function buildKey(
  key: string,
  cells: readonly MatrixCell[],
  change: Partial<MatrixKey> = {},
): MatrixKey {
  return {
    key,
    tier: 'public',
    type: 'string',
    required: true,
    hasDefault: false,
    drift: false,
    cells: [...cells],
    ...change,
  }
}

export function buildMatrix(keys: readonly MatrixKey[]): Matrix {
  const environment = { parentId: null, production: false, version: 4, orphaned: [] }
  const protection = { ...unprotected }
  return {
    schema: { id: 'sch_1', name: 'web', revision: 1 },
    environments: [
      { ...environment, id: development, name: 'development', protection },
      { ...environment, id: production, name: 'production', production: true, protection },
    ],
    authors: [{ type: 'user', id: 'usr_mira', name: 'Mira' }],
    keys: [...keys],
  }
}
