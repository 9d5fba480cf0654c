import { findDrift } from '@signalbox/contract'
import type { configMatrixEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import { getCurrentValues, ownKeys } from '../../config-model/current-values.ts'
import type { KeyRule } from '../../config-model/definition.ts'
import type { Matrix, MatrixColumn } from './get-matrix.ts'
import type { ResolvedValue } from '../../config-model/resolve-values.ts'
import { createTimes } from './show-values.ts'
import { createAuthors } from '../../config-model/stored-entries.ts'

type ConfigMatrix = ResponseOf<typeof configMatrixEndpoints.getConfigMatrix>
type MatrixCell = ConfigMatrix['keys'][number]['cells'][number]

/** Renders a matrix as the API answers it: no value of a secret, and each author once. */
export function presentMatrix({ state, columns }: Matrix): ConfigMatrix {
  const { id, name, revision, definition } = state.schema
  const authors = createAuthors()
  const writer = { times: createTimes(), authors }
  const keys = [...definition].map(([key, rule]) => {
    const marks = createMarks()
    const cells = columns.map((column) => renderCell(writer, rule, cellOf(column, key, marks)))
    const drift = rule.expectedToDiffer === true ? false : (findDrift(cells) ?? null)
    return { key, ...rule, drift, cells }
  })
  return {
    schema: { id, name, revision },
    environments: columns.map(({ environment }) => {
      const current = getCurrentValues(state, environment.id)
      return {
        id: environment.id,
        name: environment.name,
        parentId: environment.parentId,
        production: environment.production,
        protection: environment.protection,
        version: current.version,
        orphaned: ownKeys(current).filter((key) => !definition.has(key)),
      }
    }),
    authors: authors.all,
    keys,
  }
}

interface Cell {
  readonly resolved: ResolvedValue
  readonly mark: number | undefined
}

function cellOf(
  { resolved, digests }: MatrixColumn,
  key: string,
  markOf: (digest: string) => number,
): Cell {
  const digest = digests?.get(key)
  return {
    resolved: resolved.get(key) ?? { source: 'missing' },
    mark: digest === undefined ? undefined : markOf(digest),
  }
}

/**
 * Creates the numbering of digests, in the order in which they occur. Equal numbers are equal secrets, and say nothing
 * else.
 */
function createMarks(): (digest: string) => number {
  const marks = new Map<string, number>()
  return (digest) => {
    const mark = marks.get(digest) ?? marks.size
    marks.set(digest, mark)
    return mark
  }
}

interface CellWriter {
  readonly times: (milliseconds: number) => string
  readonly authors: ReturnType<typeof createAuthors>
}

function renderCell(
  { times, authors }: CellWriter,
  { required }: KeyRule,
  { resolved, mark }: Cell,
): MatrixCell {
  const { source, value, rules, entry, environmentId } = resolved
  if (source === 'missing') return { source: required ? 'missing' : 'unset' }
  return {
    source,
    ...(source === 'inherited' && environmentId !== undefined && { inheritedFrom: environmentId }),
    ...(value !== undefined && { value }),
    ...(rules !== undefined && { rules: readRules(rules) }),
    ...(mark !== undefined && { mark }),
    ...(entry !== undefined && {
      updatedAt: times(entry.updatedAt),
      updatedBy: authors.indexOf(entry.updatedBy),
    }),
  }
}
