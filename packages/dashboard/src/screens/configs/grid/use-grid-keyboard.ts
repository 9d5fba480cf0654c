import type { KeyboardEvent } from 'react'
import { toCellId, type Matrix, type MatrixKey, type CellRef } from '../matrix.ts'
import { isGroup, type GridLine } from './group-rows.ts'
import { isEditor, rowHeightPx, toDomId, type GridColumn, type GridModel } from './grid-model.ts'
import { rulesOf, type StagedCell } from '../staged.ts'
import { toGridAction, type GridAction } from './grid-keys.ts'

/** Holds the parts of the grid that its keyboard handling uses. */
export interface GridContext {
  readonly matrix: Matrix
  /** Lists the keys, and the headers of their groups. */
  readonly rows: readonly GridLine[]
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
  readonly indexOf: (key: string | undefined) => number | undefined
  readonly goTo: (key: string, column: number) => void
}

interface GridHandlers {
  readonly onReview: () => void
  readonly onFilter: () => void
  readonly onFold: (key: string) => void
}

/** Returns the cell at a row and a column of the grid, or `undefined` in the column of the keys. */
export function cellAt(
  { rows, columns }: Pick<GridContext, 'rows' | 'columns'>,
  row: number,
  column: number,
): CellRef | undefined {
  const line = rows[row]
  const key = line === undefined || isGroup(line) ? undefined : line
  const { environment, at } = columns[column - 1] ?? {}
  const cell = at === undefined ? undefined : key?.cells[at]
  return key && environment && cell && { row: key, cell, environment }
}

/** Returns the key handler while no cell is edited. */
export function useGridKeyboard(context: GridContext, handlers: GridHandlers) {
  const { rows, columns, model, indexOf } = context
  return (event: KeyboardEvent<HTMLDivElement>) => {
    // A field in a cell handles its own keys, except for Ctrl+S.
    const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
    if (event.defaultPrevented || (isEditor(event) && !isSave)) return
    const position = model.active.get()
    const row = indexOf(position?.key)
    if (position === undefined || row === undefined) return
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeightPx) - 2)
    const size = { rows: rows.length, columns: columns.length + 1, page }
    if (folds(event, rows[row])) {
      event.preventDefault()
      handlers.onFold(position.key)
      return
    }
    const action = toGridAction(event, { row, column: position.column }, size)
    if (action === undefined) return
    event.preventDefault()
    act(context, handlers, action, { row, column: position.column })
  }
}

/** Returns whether a key folds a group, or opens it: Enter and Space do both, the arrows as in a tree. */
function folds({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, line: GridLine | undefined) {
  if (line === undefined || !isGroup(line) || ctrlKey || metaKey || altKey) return false
  return ['Enter', ' ', line.isFolded ? 'ArrowRight' : 'ArrowLeft'].includes(key)
}

function act(
  context: GridContext,
  { onReview, onFilter }: Omit<GridHandlers, 'onFold'>,
  action: GridAction,
  at: { readonly row: number; readonly column: number },
): void {
  const { rows, goTo } = context
  switch (action.kind) {
    case 'move': {
      const key = rows[action.row]?.key
      if (key !== undefined) goTo(key, action.column)
      return
    }
    case 'review':
      onReview()
      return
    case 'filter':
      onFilter()
      return
    case 'menu':
      openMenu(context, at)
      return
    case 'undo':
    case 'redo':
      takeBack(context, action.kind)
      return
    case 'edit':
    case 'toggle':
    case 'unset':
      write(context.model, action, cellAt(context, at.row, at.column))
  }
}

/** Activates the first of the changed cells, if it is visible. */
function takeBack({ rows, columns, model, goTo }: GridContext, kind: 'undo' | 'redo'): void {
  if (!model.may('writeValues')) return
  const [id] = model.staged[kind]()
  if (id === undefined) return
  for (const [at, { environment }] of columns.entries()) {
    const row = rows.find(({ key }) => toCellId(environment.id, key) === id)
    if (row !== undefined) goTo(row.key, at + 1)
  }
}

function openMenu(
  { rows, model }: GridContext,
  { row, column }: { readonly row: number; readonly column: number },
): void {
  const line = rows[row]
  const key = line === undefined || isGroup(line) ? undefined : line.key
  const source = key === undefined ? null : document.getElementById(toDomId(key, column))
  if (key !== undefined && source !== null) model.openMenu({ key, column, source })
}

function write(
  model: GridModel,
  action: Extract<GridAction, { kind: 'edit' | 'toggle' | 'unset' }>,
  cellRef: CellRef | undefined,
): void {
  if (cellRef === undefined || !model.may('writeValues', cellRef.environment.id)) return
  if (action.kind === 'unset') model.unset(cellRef)
  else if (action.kind === 'toggle' || isSwitch(cellRef.row)) {
    // Typing does nothing on a switch; Enter presses it like Space.
    if (isSwitch(cellRef.row) && (action.kind === 'toggle' || action.text === undefined))
      pressSwitch(model, cellRef)
  } else {
    const { text } = action
    model.editing.set(
      toCellId(cellRef.environment.id, cellRef.row.key),
      text === undefined ? {} : { text },
    )
  }
}

/** Returns whether a key's cells are switches: booleans that are not secret. */
export function isSwitch({ type, tier }: MatrixKey): boolean {
  return type === 'boolean' && tier !== 'secret'
}

/** Does what a press on a cell's control does: on a kill switch, on the words of rules, or on a switch. */
function pressSwitch(model: GridModel, cellRef: CellRef): void {
  const change = model.staged.get(toCellId(cellRef.environment.id, cellRef.row.key))
  if (cellRef.row.killSwitch === true) model.turnKillSwitch(cellRef)
  else if (rulesOf(change, cellRef).length > 0) model.openRules(cellRef)
  else model.keepStaged([{ cellRef, value: !isOn(change, cellRef) }])
}

/** Returns whether a switch is on, its staged change included. */
export function isOn(change: StagedCell | undefined, { cell }: Pick<CellRef, 'cell'>): boolean {
  return (change?.edit.kind === 'set' ? change.edit.value : cell.value) === true
}
