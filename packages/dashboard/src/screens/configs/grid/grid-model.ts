import type { ConfigValue, Verb } from '@signalbox/contract'
import type { ProofSummary } from '../../proofs/describe-proof.ts'
import { createCellStore, type CellStore } from '../cell-store.ts'
import type { MatrixEnvironment, CellRef } from '../matrix.ts'
import type { StagedChanges } from '../staged-store.ts'
import { createActiveCell, type ActiveCell } from './active-cell.ts'

/** Holds facts about a cell other than its value and its staged change. */
export interface CellNotes {
  /** Holds the reason why the server would refuse the change. */
  readonly problem?: string
  /** Says that somebody else has just changed it. */
  readonly flashed?: true
  /** Says that its kill switch is being turned off. */
  readonly isTurning?: true
  /** Says that the secret is shown beside the cell. */
  readonly revealed?: true
  /** Names the newest request that would change it. */
  readonly waiting?: WaitingChange
  /** Holds the proof that watches the last change of it. */
  readonly proof?: ProofSummary
  /** Says which step the rollout of it is at. */
  readonly rollout?: string
}

/** Describes a change that waits for people. */
export interface WaitingChange {
  /** Holds the number of its request. */
  readonly number: number
  /** Names who asked for it. */
  readonly author: string
}

/** Describes the start of an edit. Without a text it starts with the current value. */
export interface EditStart {
  readonly text?: string
}

/** Describes a column of the grid: an environment, and the index of its cells in a row. */
export interface GridColumn {
  readonly environment: MatrixEnvironment
  readonly at: number
  /** Maps the ids of all environments to their names, also of those that are hidden. */
  readonly names: ReadonlyMap<string, string>
}

/** Describes the new value of a cell. */
export interface CellValue {
  readonly cellRef: CellRef
  readonly value: ConfigValue
}

/** Moves the focus in the grid. */
export interface GridNavigator {
  /** Activates a cell, scrolls it into view and focuses it. */
  readonly goTo: (key: string, column: number) => void
  /** Moves by so many rows and columns from the active cell. */
  readonly step: (rows: number, columns: number) => void
}

/** Holds the state that the cells of a grid share. It is one object for ever, so that no row renders again because of it. */
export interface GridModel {
  readonly active: ActiveCell
  readonly staged: StagedChanges
  readonly notes: CellStore<CellNotes>
  readonly editing: CellStore<EditStart>
  /**
   * Returns whether the person may do `verb` with the schema in an environment, or in each one by `wildcardId`. Without an
   * environment, one is enough.
   */
  readonly may: (verb: Verb, environmentId?: string) => boolean
  /** Presses a kill switch: off immediately, on by the review. */
  readonly turnKillSwitch: (cellRef: CellRef) => void
  readonly keepStaged: (edits: readonly CellValue[]) => void
  readonly unset: (cellRef: CellRef) => void
  readonly reveal: (cellRef: CellRef) => void
  readonly hide: (id: string) => void
  readonly openMenu: (cellRef: MenuTarget) => void
  readonly openRules: (cellRef: CellRef) => void
  /** Holds the navigator. The grid sets it while it is mounted. */
  readonly navigator: { current: GridNavigator | undefined }
}

/** Says why a cell cannot be edited. */
export const notWritable = 'You may not write values here. Ask an admin for a grant.'

/** Returns whether an event comes from the field of a cell, which handles keys and the clipboard itself. */
export function isEditor({ target }: { readonly target: EventTarget | null }): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** Names the row, or the cell, whose menu is open. */
export interface MenuTarget {
  readonly key: string
  /** Holds the column that the menu was opened from. */
  readonly column: number
  readonly source: HTMLElement
}

type Behaviour = Pick<
  GridModel,
  | 'staged'
  | 'may'
  | 'turnKillSwitch'
  | 'keepStaged'
  | 'unset'
  | 'reveal'
  | 'hide'
  | 'openMenu'
  | 'openRules'
  | 'notes'
>

/** Creates the state of a grid in which no cell is active. */
export function createGridModel(behaviour: Behaviour): GridModel {
  return {
    ...behaviour,
    active: createActiveCell(),
    editing: createCellStore(),
    navigator: { current: undefined },
  }
}

/** Adds facts about a cell. Members that are `undefined` are removed. */
export function annotate(
  notes: CellStore<CellNotes>,
  id: string,
  change: { readonly [Name in keyof CellNotes]: CellNotes[Name] | undefined },
): void {
  const entries = Object.entries({ ...notes.get(id), ...change }).filter(
    ([, note]) => note !== undefined,
  )
  const next: CellNotes | undefined = entries.length === 0 ? undefined : Object.fromEntries(entries)
  notes.set(id, next)
}

/** Returns the element id of a cell. */
export function toDomId(key: string, column: number): string {
  return `cell-${column}-${key}`
}

export const rowHeightPx = 36
export const headerHeightPx = 36
