import { memo } from 'react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useActiveKey } from './active-cell.ts'
import { rowHeightPx, toDomId, type GridModel } from './grid-model.ts'
import type { GroupLine } from './group-rows.ts'

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
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
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
