import { useMemo, useRef } from 'react'
import type { Matrix } from '../matrix.ts'
import { GridHeader } from './grid-header.tsx'
import { headerHeightPx, type GridColumn, type GridModel } from './grid-model.ts'
import { GridRow } from './grid-row.tsx'
import { GroupRow } from './group-row.tsx'
import { isGroup, type GridLine } from './group-rows.ts'
import { useGridKeyboard } from './use-grid-keyboard.ts'
import { useGridNavigation } from './use-grid-navigation.ts'
import { usePastedCells } from './use-pasted-cells.ts'

interface MatrixGridProps {
  readonly label: string
  readonly matrix: Matrix
  /** Lists the keys that match the filter, and the headers of their groups. */
  readonly rows: readonly GridLine[]
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
  readonly onReview: () => void
  readonly onFilter: () => void
  /** Folds the group of a header, or opens it. */
  readonly onFold: (key: string) => void
  /** Called when lines of `NAME=value` are pasted. */
  readonly onEnvText: (text: string, environmentId: string | undefined) => void
}

/**
 * Renders keys by environments, operated like a spreadsheet (WAI-ARIA APG, grid pattern). Only the visible rows are
 * in the page, and the row of the active cell.
 */
export function MatrixGrid({ label, matrix, rows, columns, model, ...handlers }: MatrixGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { virtualizer, indexOf, goTo } = useGridNavigation({ scroller, rows, columns, model })
  const context = { matrix, rows, columns, model, indexOf, goTo }
  const onKeyDown = useGridKeyboard(context, handlers)
  const { onCopy, onPaste } = usePastedCells(context, handlers.onEnvText)
  const template = useMemo(() => toTemplate(columns.length), [columns.length])
  const entryKey = indexOf(model.active.get()?.key) === undefined ? rows[0]?.key : undefined

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-readonly={!model.mayWrite || undefined}
      // As high as its rows, with room for the editor of a single one.
      className="relative min-h-40 shrink overflow-auto overscroll-contain"
      style={{ scrollPaddingTop: headerHeightPx, scrollPaddingLeft: template.keyWidth }}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onPaste={onPaste}
    >
      <div role="presentation" style={{ minWidth: template.minWidth }}>
        <GridHeader columns={columns} template={template.columns} />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const shared = {
              index,
              top: start - headerHeightPx,
              isEntry: row.key === entryKey,
              model,
            }
            if (isGroup(row)) {
              return (
                <GroupRow
                  key={row.key}
                  line={row}
                  columns={columns.length}
                  onFold={handlers.onFold}
                  {...shared}
                />
              )
            }
            return (
              <GridRow
                key={row.key}
                row={row}
                columns={columns}
                template={template.columns}
                {...shared}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Returns the widths of the columns: equal, except for that of the keys. A phone has two columns. */
function toTemplate(environments: number) {
  const isNarrow = environments === 1
  const keyWidth = isNarrow ? '10rem' : '18rem'
  const cellWidth = isNarrow ? '9rem' : '12rem'
  return {
    keyWidth,
    columns: `minmax(${keyWidth}, 1.3fr) repeat(${environments}, minmax(${cellWidth}, 1fr))`,
    minWidth: `calc(${keyWidth} + ${environments} * ${cellWidth})`,
  }
}
