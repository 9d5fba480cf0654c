import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import { Upload, Download } from 'lucide-react'
import type { Tier } from '@signalbox/contract'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { filterRows } from '../grid/filter-rows.ts'
import type { GridColumn } from '../grid/grid-model.ts'
import { MatrixGrid } from '../grid/matrix-grid.tsx'
import { ExportDialog } from '../env-file/export-dialog.tsx'
import { PasteDialog } from '../env-file/paste-dialog.tsx'
import type { Matrix } from '../matrix.ts'
import { ReviewDrawer } from '../review/review-drawer.tsx'
import { CellLine } from './cell-line.tsx'
import { RowMenu } from './row-menu.tsx'
import type { MatrixSearch, SearchChange } from './search.ts'
import { StagedActions } from './staged-actions.tsx'
import { Toolbar } from './toolbar.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useWorkspace } from './use-workspace.ts'

interface MatrixWorkspaceProps {
  readonly title: string
  readonly matrix: Matrix
  /** The only tier that is shown; left out: all of them, to choose from. */
  readonly tier?: Tier
  readonly togglesNow?: boolean
  readonly schemaPicker: ReactNode
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  /** Instead of the grid, when there is no key of this kind. */
  readonly empty: ReactNode
}

/** The values of a schema in all environments: looked at, edited, reviewed and saved as one. */
export function MatrixWorkspace(props: MatrixWorkspaceProps) {
  const { title, matrix, tier, togglesNow = false, schemaPicker, search, onSearch, empty } = props
  const { model, staged, check, menu, closeMenu } = useWorkspace({ matrix, togglesNow })
  const [text, setText] = useState(search.filter ?? '')
  const [pasted, setPasted] = useState<{
    readonly text: string
    readonly environmentId: string | undefined
  }>()
  const filterField = useRef<HTMLInputElement>(null)
  const chosenTier = tier ?? search.tier
  const onlyUneven = search.only === 'uneven'

  const keys = useMemo(
    () => (tier === undefined ? matrix.keys : matrix.keys.filter((row) => row.tier === tier)),
    [matrix.keys, tier],
  )
  const rows = useMemo(
    () => filterRows(keys, { text, tier: chosenTier, onlyUneven }),
    [keys, text, chosenTier, onlyUneven],
  )
  const columns = useColumns(matrix, search.environment)
  const toReview = useCallback(() => {
    if (model.staged.all().length > 0) onSearch({ panel: 'review' })
  }, [model, onSearch])
  const closePanel = () => {
    setPasted(undefined)
    onSearch({ panel: undefined })
  }

  return (
    <Page
      title={title}
      beside={schemaPicker}
      actions={
        <>
          {model.mayWrite && tier === undefined && (
            <Button icon={Upload} onClick={() => onSearch({ panel: 'paste' })}>
              Paste .env
            </Button>
          )}
          {tier === undefined && (
            <Button icon={Download} onClick={() => onSearch({ panel: 'export' })}>
              Export
            </Button>
          )}
          {model.mayWrite && (
            <StagedActions
              count={staged.length}
              check={check}
              changes={model.staged}
              onReview={toReview}
            />
          )}
        </>
      }
    >
      {keys.length === 0 || matrix.environments.length === 0 ? (
        empty
      ) : (
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
            shown={rows.length}
            total={keys.length}
          />
          {rows.length === 0 ? (
            <EmptyState
              title="Nothing matches"
              action={
                <Button
                  onClick={() => {
                    setText('')
                    onSearch({ filter: undefined, tier: undefined, only: undefined })
                  }}
                >
                  Show all {keys.length} keys
                </Button>
              }
            >
              {onlyUneven
                ? 'No key of these is missing anywhere, or differs.'
                : 'No key has these letters.'}
            </EmptyState>
          ) : (
            <MatrixGrid
              label={title}
              matrix={matrix}
              rows={rows}
              columns={columns}
              model={model}
              onReview={toReview}
              onFilter={() => filterField.current?.select()}
              onEnvText={(envText, environmentId) => {
                setPasted({ text: envText, environmentId })
                onSearch({ panel: 'paste' })
              }}
            />
          )}
          <CellLine matrix={matrix} columns={columns} model={model} />
        </section>
      )}
      <RowMenu matrix={matrix} columns={columns} model={model} menu={menu} onClose={closeMenu} />
      {search.panel === 'review' && staged.length > 0 && (
        <ReviewDrawer matrix={matrix} changes={model.staged} check={check} onClose={closePanel} />
      )}
      {search.panel === 'paste' && model.mayWrite && (
        <PasteDialog matrix={matrix} start={pasted} changes={model.staged} onClose={closePanel} />
      )}
      {search.panel === 'export' && <ExportDialog matrix={matrix} onClose={closePanel} />}
    </Page>
  )
}

/** The environments that there is room for. */
function useColumns(matrix: Matrix, chosen: string | undefined): readonly GridColumn[] {
  const isNarrow = useIsNarrow()
  return useMemo(() => {
    const all = matrix.environments.map((environment, at) => ({ environment, at }))
    if (!isNarrow) return all
    const one = all.find(({ environment }) => environment.name === chosen) ?? all[0]
    return one === undefined ? [] : [one]
  }, [matrix.environments, isNarrow, chosen])
}
