import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button, IconButton, buttonClass } from '../../../components/button.tsx'
import type { Matrix } from '../matrix.ts'
import {
  arrangeColumns,
  moveEnvironment,
  plainArrangement,
  type Arrangement,
} from './arrange-columns.ts'
import { useIsNarrow } from './use-is-narrow.ts'

interface ArrangeEnvironmentsProps {
  readonly matrix: Matrix
  readonly arrangement: Arrangement
  readonly onArrange: (arrangement: Arrangement) => void
}

/** Orders and hides the columns, for this person in this browser. A phone shows one of them and needs no order. */
export function ArrangeEnvironments({ matrix, arrangement, onArrange }: ArrangeEnvironmentsProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const anchor = `--columns${id.replaceAll(/[^\w]/g, '')}`
  const isNarrow = useIsNarrow()
  if (isNarrow || matrix.environments.length < 2) return null
  const { order, hidden } = arrangement
  const all = arrangeColumns(matrix, { order, hidden: [] })
  const names = all.map(({ environment }) => environment.name)
  const shownCount = names.filter((name) => !hidden.includes(name)).length
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        style={{ anchorName: anchor }}
        className={buttonClass('plain')}
      >
        <Columns3 aria-hidden size={14} />
        Environments
        {shownCount < names.length && ` ${shownCount} of ${names.length}`}
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Order and hide environments"
        style={{ positionAnchor: anchor }}
        className="menu w-80 max-w-[calc(100vw-2rem)] rounded-md border border-line bg-panel p-2 shadow-lg"
      >
        <ul className="max-h-80 overflow-y-auto">
          {names.map((name, at) => (
            <EnvironmentLine
              key={name}
              name={name}
              names={names}
              at={at}
              isLast={shownCount === 1}
              arrangement={arrangement}
              onArrange={onArrange}
            />
          ))}
        </ul>
        <div className="flex items-center justify-between gap-3 px-1 pt-2">
          <span className="text-sm text-muted">Only for you, in this browser.</span>
          <Button onClick={() => onArrange(plainArrangement)}>Reset</Button>
        </div>
      </div>
    </>
  )
}

interface EnvironmentLineProps extends Pick<ArrangeEnvironmentsProps, 'arrangement' | 'onArrange'> {
  readonly name: string
  /** Lists all names in their order. */
  readonly names: readonly string[]
  /** Holds the place of this one. */
  readonly at: number
  /** Says that only one environment is shown, which cannot be hidden as well. */
  readonly isLast: boolean
}

function EnvironmentLine(props: EnvironmentLineProps) {
  const { name, names, at, isLast, arrangement, onArrange } = props
  const { order, hidden } = arrangement
  const isShown = !hidden.includes(name)
  const others = hidden.filter((one) => one !== name)
  const move = (step: -1 | 1) => onArrange(moveEnvironment(names, arrangement, name, step))
  return (
    <li className="flex items-center gap-1 px-1">
      <label className="flex min-h-8 min-w-0 flex-1 items-center gap-2">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={isShown}
          disabled={isLast && isShown}
          onChange={({ target }) =>
            onArrange({ order, hidden: target.checked ? others : [...others, name] })
          }
        />
        <span className="min-w-0 truncate" title={name}>
          {name}
        </span>
      </label>
      <IconButton
        label={`Move ${name} up`}
        icon={ArrowUp}
        disabled={at === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        label={`Move ${name} down`}
        icon={ArrowDown}
        disabled={at === names.length - 1}
        onClick={() => move(1)}
      />
    </li>
  )
}
