import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isOverdue, type Tier } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { filterRows, isDrifting, isMissing, isUneven } from '../grid/filter-rows.ts'
import type { GridColumn, GridModel } from '../grid/grid-model.ts'
import { groupRows, type GridLine } from '../grid/group-rows.ts'
import { MatrixGrid } from '../grid/matrix-grid.tsx'
import { isSwitch } from '../grid/use-grid-keyboard.ts'
import { findSettled } from '../last-change.ts'
import { toCellId, type Matrix, type MatrixKey } from '../matrix.ts'
import { sortRows } from '../grid/sort-rows.ts'
import type { Arrangement } from './arrange-columns.ts'
import { CellLine } from './cell-line.tsx'
import { noFilters, type MatrixSearch } from './search.ts'
import { Toolbar } from './toolbar.tsx'

const settledMs = 300

/**
 * Holds the typed filter. The address follows once a person stops typing, and the field follows an address that something
 * else has changed, such as the palette.
 */
function useFilterText({ filter = '' }: MatrixSearch, onSearch: (change: MatrixSearch) => void) {
  const [text, setText] = useState(filter)
  const sent = useRef(filter)
  useEffect(() => {
    if (filter === sent.current) return
    sent.current = filter
    setText(filter)
  }, [filter])
  useEffect(() => {
    if (text === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text
      onSearch({ filter: text === '' ? undefined : text })
    }, settledMs)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return [text, setText] as const
}

interface Narrowing {
  readonly holds: (row: MatrixKey, matrix: Matrix, column: number, against: number) => boolean
  /** Holds the text for no matches. */
  readonly none: string
}

const narrowings: Readonly<Record<NonNullable<MatrixSearch['only']>, Narrowing>> = {
  missing: {
    holds: (row, _matrix, column) => isMissing(row, column),
    none: 'Every required key has a value.',
  },
  drift: {
    holds: (row, _matrix, column, against) => isDrifting(row, column, against),
    none: 'Every key has the same value in both environments, or is expected to differ.',
  },
  uneven: { holds: isUneven, none: 'Every required key has a value, and none differs.' },
  settled: {
    holds: (row, matrix) => findSettled(matrix, row, Date.now()) !== undefined,
    none: 'No flag is stale: each differs, has rules, or changed in the last 30 days.',
  },
  overdue: {
    holds: (row) => row.tier === 'featureFlags' && isOverdue(row, new Date()),
    none: 'No flag is past its end date.',
  },
  killSwitches: {
    holds: ({ killSwitch }) => killSwitch === true,
    none: 'No flag is a kill switch. Edit a flag to make it one.',
  },
}

interface MatrixPanelProps {
  readonly title: string
  readonly matrix: Matrix
  /** Lists the keys of the screen's tiers. */
  readonly keys: readonly MatrixKey[]
  readonly columns: readonly GridColumn[]
  readonly arrangement: Arrangement
  readonly onArrange: (arrangement: Arrangement) => void
  readonly model: GridModel
  readonly tier?: Tier
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  readonly onReview: () => void
  readonly onEnvText: (text: string, environmentId: string | undefined) => void
}

/** Renders the filter, the grid, and the line about the active cell. */
export function MatrixPanel(props: MatrixPanelProps) {
  const { title, matrix, keys, columns, arrangement, model, tier, search, onSearch } = props
  const [text, setText] = useFilterText(search, onSearch)
  const filterField = useRef<HTMLInputElement>(null)
  const { rows, only } = useRows(props, text)
  const { lines, fold } = useGroups(rows, search, text)
  useFirstGap(rows, columns, model, search)
  const showAll = () => {
    setText('')
    onSearch(noFilters)
  }
  return (
    <section
      aria-label={title}
      className="flex max-h-[max(24rem,calc(100dvh-9.5rem))] min-w-0 flex-col rounded-lg border border-line bg-panel max-sm:max-h-[max(24rem,calc(100dvh-12rem))]"
    >
      <Toolbar
        text={text}
        onText={setText}
        filterField={filterField}
        matrix={matrix}
        columns={columns}
        arrangement={arrangement}
        onArrange={props.onArrange}
        keys={keys}
        search={search}
        onSearch={onSearch}
        fixedTier={tier !== undefined}
        matching={rows.length}
      />
      {rows.length === 0 ? (
        <NothingMatches
          total={`${keys.length} ${tier === 'featureFlags' ? 'flags' : 'keys'}`}
          reason={only?.none}
          onShowAll={showAll}
        />
      ) : (
        <MatrixGrid
          label={title}
          matrix={matrix}
          rows={lines}
          columns={columns}
          model={model}
          onFold={fold}
          onReview={props.onReview}
          onFilter={() => filterField.current?.select()}
          onEnvText={props.onEnvText}
        />
      )}
      <CellLine matrix={matrix} columns={columns} model={model} />
    </section>
  )
}

/** Returns the rows that match the filters of the screen, in their order, and the quick filter among these. */
function useRows({ matrix, keys, tier, search }: MatrixPanelProps, text: string) {
  const { environment, against, owner, tag, sort } = search
  const chosenTier = tier ?? search.tier
  const only = search.only && narrowings[search.only]
  const rows = useMemo(() => {
    const columnOf = (environmentName: string | undefined) =>
      matrix.environments.findIndex(({ name }) => name === environmentName)
    const [column, other] = [columnOf(environment), columnOf(against)]
    const matches = only && ((row: MatrixKey) => only.holds(row, matrix, column, other))
    const matching = filterRows(keys, { text, tier: chosenTier, owner, tag, only: matches })
    return sortRows(matrix, matching, sort)
  }, [keys, text, chosenTier, owner, tag, only, matrix, environment, against, sort])
  return { rows, only }
}

const nothingFolded: ReadonlySet<string> = new Set()

/** Returns the rows in groups where the address asks for that. A filter opens all groups, so that it hides no match. */
function useGroups(rows: readonly MatrixKey[], search: MatrixSearch, text: string) {
  const [folded, setFolded] = useState(nothingFolded)
  const isGrouped = search.sort === 'prefix'
  const isFiltered = text !== '' || search.only !== undefined
  const lines = useMemo<readonly GridLine[]>(
    () => (isGrouped ? groupRows(rows, isFiltered ? nothingFolded : folded) : rows),
    [rows, folded, isGrouped, isFiltered],
  )
  const fold = useCallback(
    (key: string) =>
      setFolded((before) => {
        const next = new Set(before)
        if (!next.delete(key)) next.add(key)
        return next
      }),
    [],
  )
  return { lines, fold }
}

/** Opens the first missing cell for editing when an address leads to the gaps of an environment, or to all of them. */
function useFirstGap(
  rows: readonly MatrixKey[],
  columns: readonly GridColumn[],
  model: GridModel,
  { only, environment }: MatrixSearch,
): void {
  const [row] = rows
  const at = columns.findIndex((column) =>
    environment === undefined
      ? row !== undefined && isMissing(row, column.at)
      : column.environment.name === environment,
  )
  const gap = columns[at]?.environment.id
  const isWritable = gap !== undefined && model.may('writeValues', gap)
  const target = useRef(only === 'missing' && row && isWritable ? { row, at } : null)
  useEffect(() => {
    const { current } = target
    const column = current && columns[current.at]
    if (!current || !column) return undefined
    // A grid that was just rendered has no rows yet, and an effect cannot render them.
    const frame = requestAnimationFrame(() => {
      target.current = null
      model.navigator.current?.goTo(current.row.key, current.at + 1)
      if (!isSwitch(current.row))
        model.editing.set(toCellId(column.environment.id, current.row.key), {})
    })
    return () => cancelAnimationFrame(frame)
  }, [columns, model])
}

interface NothingMatchesProps {
  /** Example: `12 keys`. */
  readonly total: string
  readonly reason: string | undefined
  readonly onShowAll: () => void
}

function NothingMatches({ total, reason, onShowAll }: NothingMatchesProps) {
  return (
    <EmptyState
      title="Nothing matches"
      action={<Button onClick={onShowAll}>Show all {total}</Button>}
    >
      {reason ?? 'No matching keys.'}
    </EmptyState>
  )
}
