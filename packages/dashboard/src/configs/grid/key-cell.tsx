import { EllipsisVertical, Flag, Globe, Lock, type LucideIcon } from 'lucide-react'
import type { Tier } from '@signalbox/contract'
import { tierWords, type MatrixKey } from '../matrix.ts'
import { useIsActive } from './active-cell.ts'
import { toDomId, type GridModel } from './grid-model.ts'

/** The pictures of the tiers. */
export const tierIcons: Readonly<Record<Tier, LucideIcon>> = {
  public: Globe,
  secret: Lock,
  featureFlags: Flag,
}

interface KeyCellProps {
  readonly row: MatrixKey
  /** Whether Tab comes here, because no cell that is shown was chosen yet. */
  readonly isEntry: boolean
  readonly model: GridModel
}

/** The name of a key, what it is, and what can be done with it. */
export function KeyCell({ row, isEntry, model }: KeyCellProps) {
  const { active, navigator, openMenu } = model
  const isActive = useIsActive(active, row.key, 0)
  const id = toDomId(row.key, 0)
  const Icon = tierIcons[row.tier]
  return (
    <div
      id={id}
      role="rowheader"
      aria-colindex={1}
      tabIndex={isActive || isEntry ? 0 : -1}
      className="sticky left-0 z-10 flex min-w-0 items-center gap-2 border-r border-line bg-panel pr-1 pl-3 outline-none focus:outline-2 focus:-outline-offset-2 focus:outline-accent"
      onFocus={() => active.move({ key: row.key, column: 0 })}
      onClick={() => navigator.current?.goTo(row.key, 0)}
    >
      <span title={tierWords[row.tier]} className="shrink-0 text-muted">
        <Icon aria-hidden size={14} />
        <span className="sr-only">{tierWords[row.tier]}</span>
      </span>
      <span
        className="min-w-0 truncate font-mono text-[0.93rem]"
        title={row.description ?? row.key}
      >
        {row.key}
      </span>
      <span className="shrink-0 text-xs text-muted max-sm:hidden">{row.type}</span>
      <span className="ml-auto flex shrink-0 items-center">
        {row.drift === true && (
          <span title="Not the same in all environments" className="px-1 text-warn">
            <span aria-hidden>≠</span>
            <span className="sr-only">differs</span>
          </span>
        )}
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Actions for ${row.key}`}
          aria-haspopup="menu"
          className="inline-flex size-7 items-center justify-center rounded text-muted hover:bg-raised hover:text-text"
          onClick={(event) => {
            event.stopPropagation()
            navigator.current?.goTo(row.key, 0)
            openMenu({ key: row.key, column: 0, source: event.currentTarget })
          }}
        >
          <EllipsisVertical aria-hidden size={14} />
        </button>
      </span>
    </div>
  )
}
