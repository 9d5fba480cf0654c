import type { ConfigValue } from '@signalbox/contract'
import { createCellStore, type CellStore } from '../cell-store.ts'
import type { MatrixEnvironment, CellRef } from '../matrix.ts'
import type { StagedChanges } from '../staged-store.ts'
import { createActiveCell, type ActiveCell } from './active-cell.ts'

/** Describes what is known about a cell beside its value and what is staged for it. */
export interface CellNotes {
  /** Holds what the server would refuse. */
  readonly problem?: string
  /** Somebody else changed it just now. */
  readonly flashed?: true
  /** Holds what it was switched to, until the server's answer is shown. */
  readonly switchedTo?: boolean
  /** A secret that was asked for, until it is hidden again. */
  readonly revealed?: ConfigValue
}

/** Describes how the edit of a cell begins. Without a text: with the value that it has. */
export interface EditStart {
  readonly text?: string
}

/** Describes a column of the grid: an environment, and the index of its cells in a row. */
export interface GridColumn {
  readonly environment: MatrixEnvironment
  readonly at: number
}

/** Describes what a cell is to hold. */
export interface CellValue {
  readonly cellRef: CellRef
  readonly value: ConfigValue
}

/** Moves the keyboard in the grid. */
export interface GridNavigator {
  /** Chooses a cell, brings it into sight and moves the focus there. */
  readonly goTo: (key: string, column: number) => void
  /** By so many rows and columns from the chosen cell. */
  readonly step: (rows: number, columns: number) => void
}

/** Describes what the cells of a grid share. It stays the same object, so that no row is drawn again for its sake. */
export interface GridModel {
  readonly active: ActiveCell
  readonly staged: StagedChanges
  readonly notes: CellStore<CellNotes>
  readonly editing: CellStore<EditStart>
  readonly mayWrite: boolean
  readonly turn: (cellRef: CellRef, checked: boolean) => void
  readonly keepStaged: (edits: readonly CellValue[]) => void
  readonly unset: (cellRef: CellRef) => void
  readonly reveal: (cellRef: CellRef) => void
  readonly hide: (id: string) => void
  readonly openMenu: (cellRef: MenuTarget) => void
  /** Set by the grid while it is on the page. */
  readonly navigator: { current: GridNavigator | undefined }
}

/** Names the row, or the cell, whose menu is open. */
export interface MenuTarget {
  readonly key: string
  /** The column from which it was asked for. */
  readonly column: number
  readonly source: HTMLElement
}

type Behaviour = Pick<
  GridModel,
  'staged' | 'mayWrite' | 'turn' | 'keepStaged' | 'unset' | 'reveal' | 'hide' | 'openMenu' | 'notes'
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

/** Adds to what is known about a cell; members that are `undefined` are taken away. */
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

/** Returns the element of a cell, by its id in the page. */
export function toDomId(key: string, column: number): string {
  return `cell-${column}-${key}`
}

/** Holds the height of a row. */
export const rowHeightPx = 36
/** Holds the height of the header. */
export const headerHeightPx = 36
