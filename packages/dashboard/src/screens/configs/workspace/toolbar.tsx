import type { RefObject } from 'react'
import { tiers } from '@signalbox/contract'
import { Segments } from '../../../components/tabs.tsx'
import { tierIcons } from '../grid/key-cell.tsx'
import type { Matrix, MatrixKey } from '../matrix.ts'
import type { GridColumn } from '../grid/grid-model.ts'
import type { Arrangement } from './arrange-columns.ts'
import { ArrangeEnvironments } from './arrange-environments.tsx'
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
