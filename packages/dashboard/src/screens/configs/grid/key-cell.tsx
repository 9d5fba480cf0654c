import { Flag, Globe, Lock, type LucideIcon } from 'lucide-react'
import { isOverdue, type Tier } from '@signalbox/contract'
import { MiddleText } from '../../../components/middle-text.tsx'
import { type MatrixKey, tierWords } from '../matrix.ts'
import { useIsActive } from './active-cell.ts'
import { toDomId, type GridModel } from './grid-model.ts'
import type { ReactNode } from 'react'

/**
 * Creates an icon of one path. The icons are created once: a page of rows renders within one frame, and half of its
 * elements were parts of icons.
 */
function toIcon(label: string, path: string): ReactNode {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 24 24"
      className="size-3.5 shrink-0 fill-none text-muted stroke-current stroke-2 [stroke-linecap:round] [stroke-linejoin:round]"
    >
      <path d={path} />
    </svg>
  )
}

const circle = 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0'

/** Lists the icon of each tier as plain SVG, which the many rows of the grid render faster than `tierIcons`. */
const tierPictures: Readonly<Record<Tier, ReactNode>> = {
  public: toIcon(
    tierWords.public,
    `${circle}M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20`,
  ),
  secret: toIcon(
    tierWords.secret,
    'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM7 11V7a5 5 0 0 1 10 0v4',
  ),
  featureFlags: toIcon(
    tierWords.featureFlags,
    'M4 15s1-1 4-1 5 2 8 2 4-1 4-1V3s-1 1-4 1-5-2-8-2-4 1-4 1v19',
  ),
}

/** Marks a flag that one press turns off. */
const killSwitchPicture = toIcon('kill switch', 'M12 2v10M18.4 6.6a9 9 0 1 1-12.8 0')

export const tierIcons: Readonly<Record<Tier, LucideIcon>> = {
  public: Globe,
  secret: Lock,
  featureFlags: Flag,
}

/** Limits the end of a name that stays visible to what fits beside the icons on a phone. */
const nameTail = 7

interface KeyCellProps {
  readonly row: MatrixKey
  /** Says whether it is in the tab order, because no visible cell is active yet. */
  readonly isEntry: boolean
  readonly model: GridModel
}

/** Returns the tooltip: the name, which may be shortened, and the description. */
function toTitle({ key, description }: MatrixKey): string {
  return description === undefined ? key : `${key}: ${description}`
}

/** Renders the name of a key, its tier, and its menu. */
export function KeyCell({ row, isEntry, model }: KeyCellProps) {
  const { active, navigator, openMenu } = model
  const isActive = useIsActive(active, row.key, 0)
  const id = toDomId(row.key, 0)
  return (
    <div
      id={id}
      role="rowheader"
      data-key={row.key}
      aria-colindex={1}
      tabIndex={isActive || isEntry ? 0 : -1}
      className="sticky left-0 z-10 flex min-w-0 items-center gap-2 border-r border-line bg-panel pr-1 pl-3 focus:outline-2 focus:-outline-offset-2 focus:outline-accent"
      onFocus={() => active.move({ key: row.key, column: 0 })}
      onClick={() => navigator.current?.goTo(row.key, 0)}
    >
      {tierPictures[row.tier]}
      <MiddleText
        text={row.key}
        tail={nameTail}
        className={`min-w-0 font-mono text-[0.93rem] ${row.deprecated === true ? 'text-muted line-through' : ''}`}
        title={toTitle(row)}
      />
      {row.deprecated === true && <span className="sr-only">deprecated</span>}
      {row.tier === 'featureFlags' ? (
        <FlagMarks row={row} />
      ) : (
        <span
          title={row.type}
          className="min-w-0 shrink-[99] truncate text-xs text-muted max-sm:hidden"
        >
          {row.type}
        </span>
      )}
      {row.drift === true && (
        <span
          role="img"
          aria-label="differs"
          title="Not the same in all environments. The row menu marks a key that is expected to differ."
          className="ml-auto shrink-0 px-1 text-muted"
        >
          ≠
        </span>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Actions for ${row.key}`}
        aria-haspopup="menu"
        className={`inline-flex size-7 shrink-0 items-center justify-center rounded text-muted before:cell-icon before:cell-icon-more hover:bg-raised hover:text-text ${row.drift === true ? '' : 'ml-auto'}`}
        onClick={(event) => {
          event.stopPropagation()
          navigator.current?.goTo(row.key, 0)
          openMenu({ key: row.key, column: 0, source: event.currentTarget })
        }}
      />
    </div>
  )
}

/** Marks a kill switch, and a flag that should be gone. */
function FlagMarks({ row }: Pick<KeyCellProps, 'row'>) {
  return (
    <>
      {row.killSwitch === true && killSwitchPicture}
      {row.tier === 'featureFlags' && isOverdue(row, new Date()) && (
        <span
          title={`Should be gone since ${row.expires}`}
          className="shrink-0 rounded bg-warn-ground px-1 text-xs text-warn"
        >
          overdue
        </span>
      )}
    </>
  )
}
