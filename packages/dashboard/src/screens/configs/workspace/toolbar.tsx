import { useEffect, type RefObject } from 'react'
import { tiers } from '@signalbox/contract'
import { Checkbox } from '../../../components/field.tsx'
import { Segments } from '../../../components/tabs.tsx'
import { tierIcons } from '../grid/key-cell.tsx'
import type { Matrix } from '../matrix.ts'
import type { GridColumn } from '../grid/grid-model.ts'
import type { Arrangement } from './arrange-columns.ts'
import { ArrangeEnvironments } from './arrange-environments.tsx'
import { rowOrders, type MatrixSearch, type RowOrder, type SearchChange } from './search.ts'
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
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  readonly fixedTier: boolean
  readonly matching: number
  readonly total: number
}

const plural = { public: 'public', secret: 'secret', featureFlags: 'flags' } as const
const tierOptions = [
  { value: 'all', label: 'all' },
  ...tiers.map((tier) => ({ value: tier, label: plural[tier], icon: tierIcons[tier] })),
] as const

const settledMs = 300

/** Filters the keys, and on a phone selects the environment. The address follows a moment after typing. */
export function Toolbar({
  text,
  onText,
  filterField,
  matrix,
  search,
  onSearch,
  ...props
}: ToolbarProps) {
  useFilterInAddress(text, search, onSearch)
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
      <QuickFilters search={search} onSearch={onSearch} fixedTier={props.fixedTier} />
      <EnvironmentSelect matrix={matrix} columns={props.columns} onSearch={onSearch} />
      <ArrangeEnvironments
        matrix={matrix}
        arrangement={props.arrangement}
        onArrange={props.onArrange}
      />
      <SortSelect search={search} onSearch={onSearch} />
      <span role="status" className="ml-auto text-sm whitespace-nowrap text-muted">
        {props.matching === props.total ? '' : `${props.matching} of `}
        {countOf(props.total, props.fixedTier ? 'flag' : 'key')}
      </span>
    </div>
  )
}

/** Writes the typed filter into the address once a person stops typing. */
function useFilterInAddress(
  text: string,
  { filter = '' }: MatrixSearch,
  onSearch: ToolbarProps['onSearch'],
): void {
  useEffect(() => {
    if (text === filter) return undefined
    const timer = setTimeout(() => onSearch({ filter: text === '' ? undefined : text }), settledMs)
    return () => clearTimeout(timer)
  }, [text, filter, onSearch])
}

type QuickFiltersProps = Pick<ToolbarProps, 'search' | 'onSearch' | 'fixedTier'>

/** Limits the keys to those that miss a value, differ, or have long been the same everywhere. */
function QuickFilters({ search, onSearch, fixedTier }: QuickFiltersProps) {
  const { only, environment, against } = search
  return (
    <>
      {only === 'missing' && (
        <Checkbox
          label={`Only missing${environment === undefined ? '' : ` in ${environment}`}`}
          checked
          onChange={() => onSearch({ only: undefined })}
        />
      )}
      {only === 'drift' && (
        <Checkbox
          label={`Only drift between ${environment} and ${against}`}
          checked
          onChange={() => onSearch({ only: undefined, against: undefined })}
        />
      )}
      <Checkbox
        label="Only drift or missing"
        checked={only === 'uneven'}
        onChange={({ target }) => onSearch({ only: target.checked ? 'uneven' : undefined })}
      />
      {(fixedTier || only === 'settled') && (
        <Checkbox
          label="Stale (unchanged for 30 days)"
          title="The same in every environment for more than 30 days: your code may no longer need the flag"
          checked={only === 'settled'}
          onChange={({ target }) => onSearch({ only: target.checked ? 'settled' : undefined })}
        />
      )}
    </>
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
      <option value="">As in the schema</option>
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
