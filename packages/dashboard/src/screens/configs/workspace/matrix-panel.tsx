import { useMemo, useRef, useState } from 'react'
import type { Tier } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { filterRows, isUneven } from '../grid/filter-rows.ts'
import type { GridColumn, GridModel } from '../grid/grid-model.ts'
import { MatrixGrid } from '../grid/matrix-grid.tsx'
import { findSettled } from '../last-change.ts'
import type { Matrix, MatrixKey } from '../matrix.ts'
import { CellLine } from './cell-line.tsx'
import type { MatrixSearch, SearchChange } from './search.ts'
import { Toolbar } from './toolbar.tsx'

interface Narrowing {
  readonly holds: (row: MatrixKey, matrix: Matrix) => boolean
  /** Holds the text for no matches. */
  readonly none: string
}

const narrowings: Readonly<Record<NonNullable<MatrixSearch['only']>, Narrowing>> = {
  uneven: { holds: isUneven, none: 'None of these keys is missing anywhere, or differs.' },
  settled: {
    holds: (row, matrix) => findSettled(matrix, row, Date.now()) !== undefined,
    none: 'Each of these flags differs, has rules, or was turned within thirty days.',
  },
}

interface MatrixPanelProps {
  readonly title: string
  readonly matrix: Matrix
  /** Lists the keys of the screen's tiers. */
  readonly keys: readonly MatrixKey[]
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
  readonly tier?: Tier
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  readonly onReview: () => void
  readonly onEnvText: (text: string, environmentId: string | undefined) => void
}

/** Renders the filter, the grid, and the line about the active cell. */
export function MatrixPanel(props: MatrixPanelProps) {
  const { title, matrix, keys, columns, model, tier, search, onSearch } = props
  const [text, setText] = useState(search.filter ?? '')
  const filterField = useRef<HTMLInputElement>(null)
  const chosenTier = tier ?? search.tier
  const only = search.only && narrowings[search.only]
  const rows = useMemo(
    () =>
      filterRows(keys, {
        text,
        tier: chosenTier,
        only: only && ((row) => only.holds(row, matrix)),
      }),
    [keys, text, chosenTier, only, matrix],
  )
  const showAll = () => {
    setText('')
    onSearch({ filter: undefined, tier: undefined, only: undefined })
  }
  return (
    <section
      aria-label={title}
      className="flex h-[calc(100dvh-9.5rem)] min-h-96 min-w-0 flex-col rounded-lg border border-line bg-panel max-sm:h-[calc(100dvh-12rem)]"
    >
      <Toolbar
        text={text}
        onText={setText}
        filterField={filterField}
        matrix={matrix}
        search={search}
        onSearch={onSearch}
        fixedTier={tier !== undefined}
        matching={rows.length}
        total={keys.length}
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
          rows={rows}
          columns={columns}
          model={model}
          onReview={props.onReview}
          onFilter={() => filterField.current?.select()}
          onEnvText={props.onEnvText}
        />
      )}
      <CellLine matrix={matrix} columns={columns} model={model} />
    </section>
  )
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
      {reason ?? 'No name or description of a key has these words.'}
    </EmptyState>
  )
}
