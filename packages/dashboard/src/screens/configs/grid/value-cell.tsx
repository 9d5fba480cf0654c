import { memo, useRef } from 'react'
import { toCellId, type MatrixCell, type MatrixEnvironment, type MatrixKey } from '../matrix.ts'
import { isOvertaken } from '../staged.ts'
import { CellContent } from './cell-content.tsx'
import { CellEditor } from './cell-editor.tsx'
import { useCellState } from './cell-state.ts'
import { toDomId, type GridColumn, type GridModel } from './grid-model.ts'
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
  const { active, editing, mayWrite, navigator } = model
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

function toGround(hasErrors: boolean, isStaged: boolean): string {
  if (hasErrors) return 'bg-bad-ground shadow-[inset_3px_0_var(--color-bad)]'
  return isStaged ? 'bg-warn-ground shadow-[inset_3px_0_var(--color-warn)]' : ''
}
