import { isProtected } from '@signalbox/contract'
import { memo, useMemo, useRef } from 'react'
import { ChevronDown, ChevronRight, Lock, ShieldCheck } from 'lucide-react'
import type { Matrix, MatrixKey } from '../matrix.ts'
import { describeProtection } from '../review/describe-protection.ts'
import {
  headerHeightPx,
  notWritable,
  rowHeightPx,
  toDomId,
  type GridColumn,
  type GridModel,
} from './grid-model.ts'
import { isGroup, type GridLine, type GroupLine } from './group-rows.ts'
import { useGridKeyboard } from './use-grid-keyboard.ts'
import { useGridNavigation } from './use-grid-navigation.ts'
import { usePastedCells } from './use-pasted-cells.ts'
import { KeyCell } from './key-cell.tsx'
import { ValueCell } from './value-cell.tsx'
import { useActiveKey } from './active-cell.ts'

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
      aria-readonly={!model.may('writeValues') || undefined}
      // As high as its rows, with room for the editor of a single one.
      className="relative min-h-40 shrink overflow-auto overscroll-contain"
      style={{ scrollPaddingTop: headerHeightPx, scrollPaddingLeft: template.keyWidth }}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onPaste={onPaste}
    >
      <div role="presentation" style={{ minWidth: template.minWidth }}>
        <GridHeader columns={columns} template={template.columns} model={model} />
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

interface GridHeaderProps {
  readonly columns: readonly GridColumn[]
  readonly template: string
  readonly model: GridModel
}

const cell = 'flex min-w-0 items-center gap-1.5 border-r border-line px-3 last:border-r-0'

/** Renders the names of the environments, with marks for those that are protected, or that the person may not write. */
function GridHeader({ columns, template, model }: GridHeaderProps) {
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-panel">
      <div
        role="row"
        aria-rowindex={1}
        className="grid border-b border-line text-sm font-medium text-muted"
        style={{ gridTemplateColumns: template, height: headerHeightPx }}
      >
        <div role="columnheader" aria-colindex={1} className={`${cell} sticky left-0 bg-panel`}>
          Key
        </div>
        {columns.map(({ environment }, at) => (
          <div key={environment.id} role="columnheader" aria-colindex={at + 2} className={cell}>
            <span className="truncate" title={environment.name}>
              {environment.name}
            </span>
            {isProtected(environment.protection) && (
              <span
                title={`Changes require: ${describeProtection(environment)}`}
                className="shrink-0"
              >
                <ShieldCheck aria-hidden size={14} />
                <span className="sr-only">Changes require: {describeProtection(environment)}</span>
              </span>
            )}
            {model.may('writeValues') && !model.may('writeValues', environment.id) && (
              <span title={notWritable} className="shrink-0">
                <Lock aria-hidden size={14} />
                <span className="sr-only">{notWritable}</span>
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

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
const GridRow = memo(function GridRow({
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

interface GroupRowProps {
  readonly line: GroupLine
  readonly index: number
  readonly top: number
  /** Says whether it is in the tab order, because no visible cell is active yet. */
  readonly isEntry: boolean
  /** Counts the columns, which the header spans. */
  readonly columns: number
  readonly model: GridModel
  readonly onFold: (key: string) => void
}

/** Renders the header of a group: its word, and how many keys it has. A press folds the group, or opens it. */
const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { line, index, top, isEntry, columns, model, onFold } = props
  const isActive = useActiveKey(model.active, line.key)
  const Icon = line.isFolded ? ChevronRight : ChevronDown
  const name = line.group ?? 'Other keys'
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="absolute inset-x-0 border-b border-line bg-raised"
      style={{ height: rowHeightPx, top }}
    >
      <div
        id={toDomId(line.key, 0)}
        role="rowheader"
        aria-colindex={1}
        aria-colspan={columns + 1}
        aria-expanded={!line.isFolded}
        tabIndex={isActive || isEntry ? 0 : -1}
        className="h-full cursor-pointer focus:outline-2 focus:-outline-offset-2 focus:outline-accent"
        onFocus={() => {
          // The column stays while the focus passes over the header.
          if (model.active.get()?.key !== line.key) model.active.move({ key: line.key, column: 0 })
        }}
        onClick={() => {
          model.navigator.current?.goTo(line.key, 0)
          onFold(line.key)
        }}
      >
        <span className="sticky left-0 inline-flex h-full items-center gap-2 pl-2.5">
          <Icon aria-hidden size={14} className="text-muted" />
          <span className={line.group === undefined ? '' : 'font-mono text-[0.93rem]'}>{name}</span>
          <span className="text-sm text-muted">{toCount(line)}</span>
        </span>
      </div>
    </div>
  )
})

/** Returns the number of keys, with the noun where the name does not have it. */
function toCount({ group, count }: GroupLine): string {
  if (group === undefined) return String(count)
  return `${count} ${count === 1 ? 'key' : 'keys'}`
}
