import { canonicalJson, sameValue, type ConfigValue } from '@signalbox/contract'
import type { RequestOf } from '../../api/routes.ts'
import {
  findCell,
  toCellId,
  toCellText,
  type FlagRules,
  type Matrix,
  type MatrixCell,
  type MatrixEnvironment,
  type CellRef,
} from './matrix.ts'

/** Describes the new content of a cell. */
export type Edit =
  | {
      readonly kind: 'set'
      readonly value: ConfigValue
      /** Holds the rules of a flag. Absent: those that the environment sets itself stay. */
      readonly rules?: FlagRules
    }
  /** Removes the environment's own value. It then inherits, has the default, or none. */
  | { readonly kind: 'unset' }

/** Describes an unsaved change of a cell. */
export interface StagedCell {
  readonly environmentId: string
  readonly key: string
  readonly secret: boolean
  readonly edit: Edit
  /** Holds the cell's content from before the change: see `toCellText`. */
  readonly base: string
  /** Says that the person takes it for no secret, although it has the form of one. */
  readonly plain?: boolean
}

/** Returns a change of a cell. `undefined`: it changes nothing. */
export function toStaged({ row, cell, environment }: CellRef, edit: Edit): StagedCell | undefined {
  const secret = row.tier === 'secret'
  const changesNothing =
    edit.kind === 'unset' ? cell.source !== 'set' : !secret && holds(cell, edit)
  if (changesNothing) return undefined
  return {
    environmentId: environment.id,
    key: row.key,
    secret,
    edit,
    base: toCellText(row.tier, cell),
  }
}

/** Returns whether an environment itself sets what an edit sets. */
function holds(cell: MatrixCell, { value, rules }: Extract<Edit, { kind: 'set' }>): boolean {
  if (cell.source !== 'set' || !sameValue(cell.value, value)) return false
  return rules === undefined || canonicalJson(rules) === canonicalJson(cell.rules ?? [])
}

/** Returns the rules of a flag as they are staged, or else as they are saved. */
export function rulesOf(change: StagedCell | undefined, { cell }: Pick<CellRef, 'cell'>) {
  const { edit } = change ?? {}
  if (edit === undefined || edit.kind === 'unset') return cell.rules ?? []
  return edit.rules ?? (cell.source === 'set' ? (cell.rules ?? []) : [])
}

/** Returns the id of a staged change: that of its cell. */
export function idOf({ environmentId, key }: Pick<StagedCell, 'environmentId' | 'key'>): string {
  return toCellId(environmentId, key)
}

/** Returns whether somebody else has changed the cell since the change was staged, to another value than the staged one. */
export function isOvertaken(
  { base, edit }: StagedCell,
  { row, cell }: Pick<CellRef, 'row' | 'cell'>,
): boolean {
  if (toCellText(row.tier, cell) === base) return false
  return edit.kind === 'unset' ? cell.source === 'set' : row.tier === 'secret' || !holds(cell, edit)
}

/** Returns the changes whose cells somebody else has changed since. */
export function findOvertaken(
  matrix: Matrix,
  staged: readonly StagedCell[],
): readonly StagedCell[] {
  return staged.filter((change) => {
    const cellRef = findCell(matrix, change)
    return cellRef !== undefined && isOvertaken(change, cellRef)
  })
}

/** Returns the same change, based on the cell's current content. */
export function keepMine(change: StagedCell, { row, cell }: CellRef): StagedCell {
  return { ...change, base: toCellText(row.tier, cell) }
}

type Changes = NonNullable<
  RequestOf<'POST /organizations/{org_id}/config-changes'>['body']
>['changes']

/** Returns the changes as one request: the values to set and unset in each environment, based on its shown version. */
export function toChanges(
  environments: readonly Pick<MatrixEnvironment, 'id' | 'version'>[],
  staged: readonly StagedCell[],
): Changes {
  return environments.flatMap(({ id, version }) => {
    const here = staged.filter(({ environmentId }) => environmentId === id)
    if (here.length === 0) return []
    const set = here.flatMap(({ key, edit }) =>
      edit.kind === 'set' ? [[key, edit.value] as const] : [],
    )
    const unset = here.flatMap(({ key, edit }) => (edit.kind === 'unset' ? [key] : []))
    const rules = here.flatMap(({ key, edit }) =>
      edit.kind === 'set' && edit.rules !== undefined ? [[key, edit.rules] as const] : [],
    )
    return [
      {
        environmentId: id,
        expectedVersion: version,
        set: Object.fromEntries(set),
        ...(rules.length > 0 && { rules: Object.fromEntries(rules) }),
        unset,
      },
    ]
  })
}

/** Returns what is wrong with a cell, after the place in its object or list. Example: `limit: Use a number of at most 50.` */
export function describeProblem({
  pointer,
  key,
  detail,
}: {
  readonly pointer: string
  readonly key: string
  readonly detail: string
}): string {
  const path = pointer.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const within = path[3] === 'set' && path[4] === key ? path.slice(5) : []
  return within.length === 0 ? detail : `${within.join('.')}: ${detail}`
}

/** Returns the member of the request that names the keys which look like secrets and are none. */
export function toAllowPlain(staged: readonly StagedCell[]): { readonly allowPlain?: string[] } {
  const keys = new Set(staged.filter(({ plain }) => plain === true).map(({ key }) => key))
  return keys.size === 0 ? {} : { allowPlain: [...keys] }
}

/** Returns a count in words: `1 change`, `3 changes`. */
export function countChanges(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'}`
}
