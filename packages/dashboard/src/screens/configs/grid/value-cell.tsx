import { memo, useMemo, useRef, useSyncExternalStore } from 'react'
import { toCellId, type MatrixCell, type MatrixEnvironment, type MatrixKey } from '../matrix.ts'
import { isOvertaken, type StagedCell } from '../staged.ts'
import { CellContent } from './cell-content.tsx'
import { CellEditor } from './cell-editor.tsx'
import {
  notWritable,
  toDomId,
  type CellNotes,
  type EditStart,
  type GridColumn,
  type GridModel,
} from './grid-model.ts'
import { isSwitch } from './use-grid-keyboard.ts'

interface ValueCellProps {
  readonly row: MatrixKey
  readonly cell: MatrixCell
  readonly environment: MatrixEnvironment
  /** Holds the index among the cells of the row. */
  readonly at: number
  /** Holds the column in the grid. */
  readonly column: number
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
}

/** Renders a key in one environment: selected, edited, staged, in conflict or refused. */
export const ValueCell = memo(function ValueCell(props: ValueCellProps) {
  const { row, cell, environment, column, model } = props
  const { active, editing, navigator } = model
  const mayWrite = model.may('writeValues', environment.id)
  const id = toCellId(environment.id, row.key)
  const { isActive, change, note, edit } = useCellState(model, row, environment, column)
  const overtaken = change !== undefined && isOvertaken(change, { row, cell })
  const cellRef = { row, cell, environment }

  const wasActive = useRef(false)

  const choose = () => {
    // A press on the cell that was already active starts an edit, also on a touch screen.
    const begins = wasActive.current && mayWrite && edit === undefined && !isSwitch(row)
    if (begins) editing.set(id, {})
    else if (edit === undefined) navigator.current?.goTo(row.key, column)
  }
  return (
    <div
      id={toDomId(row.key, column)}
      role="gridcell"
      aria-colindex={column + 1}
      {...toLock(mayWrite)}
      aria-invalid={note?.problem !== undefined || overtaken || undefined}
      aria-describedby={isActive ? 'cell-line' : undefined}
      tabIndex={isActive ? 0 : -1}
      data-staged={change !== undefined || undefined}
      data-flashed={note?.flashed}
      className={`relative flex min-w-0 items-center gap-1.5 border-r border-line px-3 last:border-r-0 focus:outline-2 focus:-outline-offset-2 focus:outline-accent data-flashed:bg-info-ground ${toGround(overtaken || note?.problem !== undefined, change !== undefined)}`}
      onFocus={() => active.move({ key: row.key, column })}
      onPointerDown={() => {
        // Noted before the press moves the focus here, which activates the cell.
        wasActive.current = isActive
      }}
      onClick={choose}
    >
      {edit === undefined ? (
        <CellContent {...props} change={change} note={note} overtaken={overtaken} />
      ) : (
        <CellEditor cellRef={cellRef} start={edit} change={change} model={model} />
      )}
    </div>
  )
})

function toLock(mayWrite: boolean) {
  return mayWrite ? {} : { 'aria-readonly': true, title: notWritable }
}

function toGround(hasErrors: boolean, isStaged: boolean): string {
  if (hasErrors) return 'bg-bad-ground shadow-[inset_3px_0_var(--color-bad)]'
  return isStaged ? 'bg-warn-ground shadow-[inset_3px_0_var(--color-warn)]' : ''
}

/** Holds the state of a cell that is not in the matrix. */
interface CellState {
  readonly isActive: boolean
  readonly change: StagedCell | undefined
  readonly note: CellNotes | undefined
  readonly edit: EditStart | undefined
}

interface CellAt {
  readonly id: string
  readonly key: string
  readonly column: number
}

/** Subscribes once to all parts of the state: a page of rows mounts a hundred cells within a frame. */
function createCellReader(
  { active, staged, notes, editing }: GridModel,
  { id, key, column }: CellAt,
) {
  let last: CellState | undefined
  return {
    subscribe(this: void, listener: () => void): () => void {
      const stops = [
        active.subscribe(listener),
        staged.subscribe(listener),
        notes.subscribe(listener),
        editing.subscribe(listener),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    /** Returns the same object until something changes. */
    read(this: void): CellState {
      const isActive = active.isAt({ key, column })
      const change = staged.get(id)
      const note = notes.get(id)
      const edit = editing.get(id)
      const isSame =
        last?.isActive === isActive &&
        last.change === change &&
        last.note === note &&
        last.edit === edit
      if (last === undefined || !isSame) last = { isActive, change, note, edit }
      return last
    },
  }
}

/** Returns the current state of a cell: active, staged, refused, edited. */
function useCellState(
  model: GridModel,
  { key }: MatrixKey,
  { id: environmentId }: MatrixEnvironment,
  column: number,
): CellState {
  const reader = useMemo(
    () => createCellReader(model, { id: toCellId(environmentId, key), key, column }),
    [model, environmentId, key, column],
  )
  return useSyncExternalStore(reader.subscribe, reader.read)
}
