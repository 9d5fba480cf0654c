import { takesRules, type ConfigValue, type FlagState } from '@signalbox/contract'
import type { Requirement } from '../../../api/read-requires.ts'
import {
  findCell,
  type Author,
  type Matrix,
  type MatrixEnvironment,
  authorOf,
  type CellRef,
} from '../matrix.ts'
import { describeProblem, idOf, isOvertaken, rulesOf, type StagedCell } from '../staged.ts'
import type { ChangeSet } from '../use-check.ts'
import { isSuspect } from './no-secret.tsx'

/** Describes one staged change in the review. */
export interface ReviewLine {
  readonly id: string
  readonly change: StagedCell
  /** Refers to the cell. `undefined`: the key or the environment is gone. */
  readonly cellRef: CellRef | undefined
  /** Names the effect on the current value. */
  readonly effect: 'new' | 'replaces' | 'unsets'
  /** Holds the current value, never that of a secret. */
  readonly before: ConfigValue | undefined
  readonly after: ConfigValue | undefined
  /** Holds a flag before and after the change, with its rules. `undefined`: it is no flag. */
  readonly flag: { readonly before: FlagState; readonly after: FlagState } | undefined
  readonly problem: string | undefined
  /** Says that the new content has the form of a credential, which everybody could read. */
  readonly isSuspect: boolean
  /** Names the person who changed the cell after it was staged. */
  readonly overtakenBy:
    | { readonly author: Author | undefined; readonly at: string | undefined }
    | undefined
}

/** Holds the changes of one environment. */
export interface ReviewGroup {
  readonly environment: Pick<MatrixEnvironment, 'id' | 'name'>
  readonly lines: readonly ReviewLine[]
}

type ValueChange = ChangeSet['environments'][number]['changes'][number]

/** Returns the staged changes by environment, in the order of the columns, with the server's check. */
export function toReviewGroups(
  matrix: Matrix,
  staged: readonly StagedCell[],
  answer: ChangeSet | undefined,
): readonly ReviewGroup[] {
  const known = new Set(matrix.environments.map(({ id }) => id))
  const gone = [...new Set(staged.map(({ environmentId }) => environmentId))]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, name: 'a deleted environment' }))
  return [...matrix.environments, ...gone].flatMap((environment) => {
    const changes = answer?.environments.find(
      ({ environmentId }) => environmentId === environment.id,
    )?.changes
    const lines = staged
      .filter(({ environmentId }) => environmentId === environment.id)
      .map((change) => toLine(matrix, change, { changes, answer }))
    return lines.length === 0 ? [] : [{ environment, lines }]
  })
}

interface ServerAnswer {
  readonly changes: readonly ValueChange[] | undefined
  readonly answer: ChangeSet | undefined
}

function toLine(matrix: Matrix, change: StagedCell, { changes, answer }: ServerAnswer): ReviewLine {
  const cellRef = findCell(matrix, change)
  const said = changes?.find(({ key }) => key === change.key)
  const refused = answer?.problems.find((one) => idOf(one) === idOf(change))
  return {
    id: idOf(change),
    change,
    cellRef,
    effect: toEffect(change, cellRef),
    ...(change.secret ? { before: undefined, after: undefined } : toValues(change, cellRef, said)),
    flag: toFlag(change, cellRef, said),
    problem:
      cellRef === undefined
        ? 'The schema no longer has this key.'
        : refused && describeProblem(refused),
    isSuspect: change.plain === true || (refused !== undefined && isSuspect(refused)),
    overtakenBy: cellRef && findOvertaker(matrix, change, cellRef),
  }
}

function toValues(
  { edit }: StagedCell,
  cellRef: CellRef | undefined,
  said: ValueChange | undefined,
): Pick<ReviewLine, 'before' | 'after'> {
  return {
    before: cellRef?.cell.value,
    after: edit.kind === 'set' ? edit.value : said?.after,
  }
}

function findOvertaker(
  matrix: Matrix,
  change: StagedCell,
  cellRef: CellRef,
): ReviewLine['overtakenBy'] {
  if (!isOvertaken(change, cellRef)) return undefined
  return { author: authorOf(matrix, cellRef.cell), at: cellRef.cell.updatedAt }
}

function toEffect({ edit }: StagedCell, cellRef: CellRef | undefined): ReviewLine['effect'] {
  if (edit.kind === 'unset') return 'unsets'
  const source = cellRef?.cell.source
  return source === undefined || source === 'missing' || source === 'unset' ? 'new' : 'replaces'
}

/** Returns a flag before and after a change. Where its own value is unset, only the server knows the rest. */
function toFlag(
  change: StagedCell,
  cellRef: CellRef | undefined,
  said: ValueChange | undefined,
): ReviewLine['flag'] {
  if (cellRef === undefined || !takesRules(cellRef.row)) return undefined
  const { cell } = cellRef
  const { edit } = change
  return {
    before: { value: cell.value, rules: cell.rules },
    after:
      edit.kind === 'set'
        ? { value: edit.value, rules: rulesOf(change, cellRef) }
        : { value: said?.after, rules: said?.rulesAfter },
  }
}

/** Lists the environments that change: those of the staged changes, and those that inherit, once the server has said so. */
export function listChanged(
  { environments }: Matrix,
  groups: readonly ReviewGroup[],
  answer: ChangeSet | undefined,
): readonly MatrixEnvironment[] {
  const inheriting = (answer?.environments ?? []).filter(({ changes }) => changes.length > 0)
  const ids = new Set([
    ...groups.map(({ environment }) => environment.id),
    ...inheriting.map(({ environmentId }) => environmentId),
  ])
  return environments.filter(({ id }) => ids.has(id))
}

/** Lists the environments that change by inheriting, with their keys. */
export function listInherited(
  matrix: Matrix,
  groups: readonly ReviewGroup[],
  answer: ChangeSet | undefined,
): readonly { readonly name: string; readonly keys: readonly string[] }[] {
  const own = new Set(groups.map(({ environment }) => environment.id))
  return (answer?.environments ?? []).flatMap(({ environmentId, changes }) => {
    const name = matrix.environments.find(({ id }) => id === environmentId)?.name
    if (own.has(environmentId) || name === undefined || changes.length === 0) return []
    return [{ name, keys: changes.map(({ key }) => key) }]
  })
}

/** Describes the confirmation that a save requires. */
export interface Required {
  /** Lists the names to type. */
  readonly names: readonly string[]
  readonly comment: boolean
  /** Counts the approvals of each environment that needs some, once the server has said so. */
  readonly approvals?: readonly Pick<Requirement, 'environment' | 'approvals'>[]
}

/**
 * Returns the confirmation that protected environments require, and the name of each production environment that changes.
 * Until the server has answered, the environments that the matrix shows as protected count.
 */
export function toRequired(
  matrix: Matrix,
  groups: readonly ReviewGroup[],
  answer: ChangeSet | undefined,
): Required {
  const ids = new Set(groups.map(({ environment }) => environment.id))
  const changed = matrix.environments.filter(({ id }) => ids.has(id))
  const requires =
    answer?.requires ??
    changed.map(({ name, protection: { confirm, comment } }) => ({
      environment: name,
      confirm,
      comment,
    }))
  const production = changed.filter(({ production }) => production).map(({ name }) => name)
  const confirmed = requires.filter(({ confirm }) => confirm).map(({ environment }) => environment)
  return {
    names: [...new Set([...confirmed, ...production])],
    comment: requires.some(({ comment }) => comment),
    approvals: answer?.requires.filter(({ approvals }) => approvals > 0) ?? [],
  }
}
