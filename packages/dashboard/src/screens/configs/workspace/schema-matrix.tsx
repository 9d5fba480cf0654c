import type { Tier } from '@signalbox/contract'
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { Page } from '../../../components/page.tsx'
import { Loaded, Skeleton } from '../../../components/states.tsx'
import { useStore } from '../../../browser/store.ts'
import { useMatrix, type CellRef, type Matrix, type MatrixKey } from '../matrix.ts'
import { SchemaPicker, WithSchema, type ConfigSchema } from '../schema-picker.tsx'
import type { GridColumn, GridModel } from '../grid/grid-model.ts'
import { NoEnvironments } from './no-environments.tsx'
import { noFilters, type MatrixSearch } from './search.ts'
import { MatrixActions } from './matrix-actions.tsx'
import { MatrixPanel } from './matrix-panel.tsx'
import { Panels, type PastedText } from './panels.tsx'
import { RevealedSecret } from './reveal-popover.tsx'
import { RowMenu } from './row-menu.tsx'
import { arrangeColumns, pickColumn, type Arrangement } from './arrange-columns.ts'
import { lastEnvironment, useArrangement } from './use-arrangement.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useWorkspace } from './use-workspace.ts'

interface SchemaMatrixProps {
  readonly title: string
  readonly tier?: Tier
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  /** Replaces the grid when the schema has no key of the tier. */
  readonly empty: (schemaId: string) => ReactNode
}

/** Renders the matrix of the schema that the address names, or of the first one. */
export function SchemaMatrix(props: SchemaMatrixProps) {
  const { title, search } = props
  return (
    <WithSchema chosen={search.schema} title={<Page title={title}>{null}</Page>}>
      {(schema, schemas) => (
        <LoadedMatrix
          {...props}
          schema={schema}
          schemaPicker={
            <SchemaPicker
              schemas={schemas}
              schemaId={schema.id}
              onPick={(id) => props.onSearch({ ...noFilters, schema: id })}
            />
          }
        />
      )}
    </WithSchema>
  )
}

interface LoadedMatrixProps extends SchemaMatrixProps {
  readonly schema: ConfigSchema
  readonly schemaPicker: ReactNode
}

function LoadedMatrix({ schema, empty, ...props }: LoadedMatrixProps) {
  return (
    <Loaded
      query={useMatrix(schema.id)}
      skeleton={<Skeleton lines={14} />}
      around={(instead) => (
        <Page title={props.title} beside={props.schemaPicker}>
          {instead}
        </Page>
      )}
    >
      {(matrix) => (
        <MatrixWorkspace
          {...props}
          key={matrix.schema.id}
          schema={schema}
          matrix={matrix}
          empty={matrix.environments.length === 0 ? <NoEnvironments /> : empty(schema.id)}
        />
      )}
    </Loaded>
  )
}

interface MatrixWorkspaceProps {
  readonly title: string
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  /** Limits the screen to one tier. Default all, with a choice. */
  readonly tier?: Tier
  readonly schemaPicker: ReactNode
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  /** Replaces the grid when there is no key of this kind. */
  readonly empty: ReactNode
}

/** Renders the values of a schema in all environments, to edit, review and save together. */
function MatrixWorkspace(props: MatrixWorkspaceProps) {
  const { title, schema, matrix, tier, search, onSearch } = props
  const onRules = useOpenRules(onSearch)
  const openReview = useOpenReview(onSearch)
  const workspace = useWorkspace({ matrix, onRules, onReview: openReview })
  const { model, menu, closeMenu } = workspace
  const { pasted, onEnvText, onClose } = usePastedText(onSearch)
  const arranging = useArrangement(search, onSearch)
  const columns = useColumns(matrix, search, arranging.arrangement)
  const keys = useKeys(matrix, tier)
  const { reachedKey, onAdded } = useAddedKey({ matrix, columns, model, search, onSearch })
  const onReview = useOpenStagedReview(model, openReview)
  return (
    <Page
      title={title}
      beside={props.schemaPicker}
      actions={<MatrixActions {...{ schemaId: schema.id, workspace, tier, onReview, onSearch }} />}
    >
      {keys.length === 0 || matrix.environments.length === 0 ? (
        props.empty
      ) : (
        <MatrixPanel
          {...props}
          // Drops the text of the filter, which may hide a new key.
          key={reachedKey}
          keys={keys}
          columns={columns}
          {...arranging}
          model={model}
          onReview={onReview}
          onEnvText={onEnvText}
        />
      )}
      <RowMenu
        schema={schema}
        matrix={matrix}
        columns={columns}
        model={model}
        menu={menu}
        onSearch={onSearch}
        onClose={closeMenu}
      />
      <RevealedSecret workspace={workspace} columns={columns} />
      <Panels
        schema={schema}
        matrix={matrix}
        columns={columns}
        workspace={workspace}
        search={search}
        tier={tier}
        pasted={pasted}
        onSearch={onSearch}
        onAdded={onAdded}
        onClose={onClose}
      />
    </Page>
  )
}

/** Returns a function that opens the rules of a flag. */
function useOpenRules(onSearch: (change: MatrixSearch) => void) {
  return useCallback(
    ({ row, environment }: CellRef) =>
      onSearch({ panel: 'rules', key: row.key, from: environment.name }),
    [onSearch],
  )
}

/** Returns a function that opens the review. */
function useOpenReview(onSearch: (change: MatrixSearch) => void) {
  return useCallback(
    () => onSearch({ panel: 'review', key: undefined, from: undefined }),
    [onSearch],
  )
}

/** Returns a function that opens the review, where there is something to review. */
function useOpenStagedReview({ staged }: GridModel, openReview: () => void) {
  return useCallback(() => {
    if (staged.all().length > 0) openReview()
  }, [staged, openReview])
}

/** Holds a text that was pasted into the grid until its dialog is closed. */
function usePastedText(onSearch: (change: MatrixSearch) => void) {
  const [pasted, setPasted] = useState<PastedText>()
  return {
    pasted,
    onEnvText: (text: string, environmentId: string | undefined) => {
      setPasted({ text, environmentId })
      onSearch({ panel: 'paste' })
    },
    onClose: () => {
      setPasted(undefined)
      onSearch({
        panel: undefined,
        key: undefined,
        from: undefined,
        to: undefined,
        keys: undefined,
        format: undefined,
      })
    },
  }
}

/** Returns the keys of the screen's tier, or all of them. */
function useKeys({ keys }: Matrix, tier: Tier | undefined): readonly MatrixKey[] {
  return useMemo(
    () => (tier === undefined ? keys : keys.filter((row) => row.tier === tier)),
    [keys, tier],
  )
}

/** Returns the environments that fit on the screen, in the order of the person. */
function useColumns(
  matrix: Matrix,
  { environment, against }: MatrixSearch,
  arrangement: Arrangement,
): readonly GridColumn[] {
  const isNarrow = useIsNarrow()
  const last = useStore(lastEnvironment)
  return useMemo(() => {
    const all = arrangeColumns(matrix, arrangement, [environment, against])
    if (!isNarrow) return all
    const one = pickColumn(all, environment, last)
    return one === undefined ? [] : [one]
  }, [matrix, arrangement, isNarrow, environment, against, last])
}

interface AddedKeyOptions {
  readonly matrix: Matrix
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
}

/** Goes to the row of a key that was added, once the matrix has it: to its first missing cell, or else to its name. */
function useAddedKey({ matrix, columns, model, search, onSearch }: AddedKeyOptions) {
  const [added, setAdded] = useState<string>()
  const [reachedKey, setReachedKey] = useState<string>()
  const { filter, tier, only, owner, tag } = search
  const isFiltered = [filter, tier, only, owner, tag].some((part) => part !== undefined)
  useEffect(() => {
    if (!isFiltered && added !== undefined) setReachedKey(added)
  }, [added, isFiltered])
  useEffect(() => {
    const row = matrix.keys.find(({ key }) => key === added)
    if (row === undefined || reachedKey !== added || search.panel !== undefined) return undefined
    const missing = columns.findIndex(({ at }) => row.cells[at]?.source === 'missing')
    // A grid that was just rendered has no rows yet, and an effect cannot render them.
    const frame = requestAnimationFrame(() => {
      model.navigator.current?.goTo(row.key, missing + 1)
      setAdded(undefined)
    })
    return () => cancelAnimationFrame(frame)
  }, [added, columns, matrix, model, search.panel, reachedKey])
  const onAdded = (key: string) => {
    setAdded(key)
    onSearch({ ...noFilters, panel: undefined })
  }
  return { reachedKey, onAdded }
}
