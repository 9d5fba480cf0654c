import { useId, useRef, type RefObject } from 'react'
import { tiers } from '@signalbox/contract'
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { Segments } from '../../../components/tabs.tsx'
import { Button, buttonClass, IconButton } from '../../../components/button.tsx'
import { tierIcons } from '../grid/key-cell.tsx'
import type { Matrix, MatrixKey } from '../matrix.ts'
import type { GridColumn } from '../grid/grid-model.ts'
import {
  arrangeColumns,
  moveEnvironment,
  plainArrangement,
  type Arrangement,
} from './arrange-columns.ts'
import { QuickFilters } from './quick-filters.tsx'
import { rowOrders, type MatrixSearch, type RowOrder } from './search.ts'
import { lastEnvironment } from './use-arrangement.ts'
import { useIsNarrow } from './use-is-narrow.ts'

interface ToolbarProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly filterField: RefObject<HTMLInputElement | null>
  readonly matrix: Matrix
  readonly columns: readonly GridColumn[]
  readonly arrangement: Arrangement
  readonly onArrange: (arrangement: Arrangement) => void
  /** Lists the keys of the screen's tiers. */
  readonly keys: readonly MatrixKey[]
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  readonly fixedTier: boolean
  readonly matching: number
}

const plural = { public: 'public', secret: 'secret', featureFlags: 'flags' } as const
const tierOptions = [
  { value: 'all', label: 'all' },
  ...tiers.map((tier) => ({ value: tier, label: plural[tier], icon: tierIcons[tier] })),
] as const

/** Filters the keys, and on a phone selects the environment. */
export function Toolbar({
  text,
  onText,
  filterField,
  matrix,
  keys,
  search,
  onSearch,
  ...props
}: ToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2">
      <input
        ref={filterField}
        type="search"
        aria-label="Filter keys"
        placeholder="Filter keys"
        title="Press / to come here"
        className="control flex-1 basis-36 sm:max-w-56"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onText(target.value)}
      />
      {!props.fixedTier && (
        <Segments
          label="Tier"
          options={tierOptions}
          value={search.tier ?? 'all'}
          onChange={(tier) => onSearch({ tier: tier === 'all' ? undefined : tier })}
        />
      )}
      <QuickFilters keys={keys} search={search} onSearch={onSearch} isOfFlags={props.fixedTier} />
      <EnvironmentSelect matrix={matrix} columns={props.columns} onSearch={onSearch} />
      <ArrangeEnvironments
        matrix={matrix}
        arrangement={props.arrangement}
        onArrange={props.onArrange}
      />
      <SortSelect search={search} onSearch={onSearch} />
      <span role="status" className="ml-auto text-sm whitespace-nowrap text-muted">
        {props.matching === keys.length ? '' : `${props.matching} of `}
        {countOf(keys.length, props.fixedTier ? 'flag' : 'key')}
      </span>
    </div>
  )
}

type EnvironmentSelectProps = Pick<ToolbarProps, 'matrix' | 'columns' | 'onSearch'>

/** Selects the environment that a phone shows, and remembers it in this browser. */
function EnvironmentSelect({ matrix, columns: [column], onSearch }: EnvironmentSelectProps) {
  if (!useIsNarrow()) return null
  return (
    <select
      aria-label="Environment"
      className="control w-auto min-w-28 flex-1"
      value={column?.environment.name}
      onChange={({ target }) => {
        lastEnvironment.set(target.value)
        onSearch({ environment: target.value })
      }}
    >
      {matrix.environments.map(({ id, name }) => (
        <option key={id}>{name}</option>
      ))}
    </select>
  )
}

const orderWords: Readonly<Record<RowOrder, string>> = {
  name: 'By name',
  changed: 'Last changed first',
  prefix: 'In groups, by first word',
}

/** Selects the order of the rows. */
function SortSelect({ search: { sort }, onSearch }: Pick<ToolbarProps, 'search' | 'onSearch'>) {
  return (
    <select
      aria-label="Order of the rows"
      className="control w-auto"
      value={sort ?? ''}
      onChange={({ target }) => onSearch({ sort: rowOrders.find((one) => one === target.value) })}
    >
      <option value="">In schema order</option>
      {rowOrders.map((order) => (
        <option key={order} value={order}>
          {orderWords[order]}
        </option>
      ))}
    </select>
  )
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

interface ArrangeEnvironmentsProps {
  readonly matrix: Matrix
  readonly arrangement: Arrangement
  readonly onArrange: (arrangement: Arrangement) => void
}

/** Orders and hides the columns, for this person in this browser. A phone shows one of them and needs no order. */
function ArrangeEnvironments({ matrix, arrangement, onArrange }: ArrangeEnvironmentsProps) {
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
