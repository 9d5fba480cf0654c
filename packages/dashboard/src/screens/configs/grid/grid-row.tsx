import { memo } from 'react'
import type { MatrixKey } from '../matrix.ts'
import { rowHeightPx, type GridColumn, type GridModel } from './grid-model.ts'
import { KeyCell } from './key-cell.tsx'
import { ValueCell } from './value-cell.tsx'

interface GridRowProps {
  readonly row: MatrixKey
  readonly index: number
  readonly top: number
  /** Says whether its first cell is in the tab order, because no visible cell is active yet. */
  readonly isEntry: boolean
  readonly columns: readonly GridColumn[]
  readonly template: string
  readonly model: GridModel
}

/** Renders a key in all environments. It renders again only when one of its own values changes. */
export const GridRow = memo(function GridRow({
  row,
  index,
  top,
  isEntry,
  columns,
  template,
  model,
}: GridRowProps) {
  return (
    // CSS containment isolates the layout of a row, except while a cell is edited, whose field may grow beyond it.
    <div
      role="row"
      aria-rowindex={index + 2}
      className="absolute inset-x-0 grid border-b border-line contain-strict focus-within:contain-none focus-within:z-[5]"
      style={{
        gridTemplateColumns: template,
        height: rowHeightPx,
        top,
      }}
    >
      <KeyCell row={row} isEntry={isEntry} model={model} />
      {columns.map(({ environment, at }, column) => {
        const cell = row.cells[at]
        return (
          cell && (
            <ValueCell
              key={environment.id}
              row={row}
              cell={cell}
              environment={environment}
              at={at}
              column={column + 1}
              columns={columns}
              model={model}
            />
          )
        )
      })}
    </div>
  )
})
