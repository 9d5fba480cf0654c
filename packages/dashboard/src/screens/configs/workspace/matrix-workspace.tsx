import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { ArrowRightLeft, ClipboardPaste, Download, Plus } from 'lucide-react'
import type { Tier } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { Page } from '../../../components/page.tsx'
import type { GridColumn, GridModel } from '../grid/grid-model.ts'
import type { CellRef, Matrix, MatrixKey } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { MatrixPanel } from './matrix-panel.tsx'
import { Panels, type PastedText } from './panels.tsx'
import { RowMenu } from './row-menu.tsx'
import type { MatrixSearch, SearchChange } from './search.ts'
import { StagedActions } from './staged-actions.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useWorkspace } from './use-workspace.ts'

interface MatrixWorkspaceProps {
  readonly title: string
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  /** Limits the screen to one tier. Default all, with a choice. */
  readonly tier?: Tier
  readonly turnsAtOnce?: boolean
  readonly schemaPicker: ReactNode
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  /** Replaces the grid when there is no key of this kind. */
  readonly empty: ReactNode
}

/** Renders the values of a schema in all environments, to edit, review and save together. */
export function MatrixWorkspace(props: MatrixWorkspaceProps) {
  const { title, schema, matrix, tier, turnsAtOnce = false, search, onSearch } = props
  const workspace = useWorkspace({ matrix, turnsAtOnce, onRules: useOpenRules(onSearch) })
  const { model, menu, closeMenu } = workspace
  const { pasted, onEnvText, onClose } = usePastedText(onSearch)
  const columns = useColumns(matrix, search.environment)
  const keys = useKeys(matrix, tier)
  const { shown, onAdded } = useAddedKey({ matrix, columns, model, search, onSearch })
  const onReview = useCallback(() => {
    if (model.staged.all().length > 0) onSearch({ panel: 'review' })
  }, [model, onSearch])
  return (
    <Page
      title={title}
      beside={props.schemaPicker}
      actions={
        <>
          <FileActions mayWrite={model.mayWrite} tier={tier} onSearch={onSearch} />
          <StagedActions
            workspace={workspace}
            onReview={onReview}
            onDiscard={() => onSearch({ panel: 'discard' })}
          />
        </>
      }
    >
      {keys.length === 0 || matrix.environments.length === 0 ? (
        props.empty
      ) : (
        <MatrixPanel
          {...props}
          // Drops the text of the filter, which may hide a new key.
          key={shown}
          keys={keys}
          columns={columns}
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

interface FileActionsProps {
  readonly mayWrite: boolean
  readonly tier: Tier | undefined
  readonly onSearch: (change: SearchChange) => void
}

function FileActions({ mayWrite, tier, onSearch }: FileActionsProps) {
  const noun = tier === 'featureFlags' ? 'flag' : 'key'
  return (
    <>
      {mayWrite && (
        <Button icon={Plus} onClick={() => onSearch({ panel: 'add' })}>
          Add {noun}
        </Button>
      )}
      {mayWrite && tier === undefined && (
        <Button icon={ClipboardPaste} onClick={() => onSearch({ panel: 'paste' })}>
          Paste .env
        </Button>
      )}
      {mayWrite && tier === undefined && (
        <Button icon={ArrowRightLeft} onClick={() => onSearch({ panel: 'promote' })}>
          Promote
        </Button>
      )}
      {tier === undefined && (
        <Button icon={Download} onClick={() => onSearch({ panel: 'export' })}>
          Export
        </Button>
      )}
    </>
  )
}

/** Returns a function that opens the rules of a flag. */
function useOpenRules(onSearch: (change: SearchChange) => void) {
  return useCallback(
    ({ row, environment }: CellRef) =>
      onSearch({ panel: 'rules', key: row.key, from: environment.name }),
    [onSearch],
  )
}

/** Holds a text that was pasted into the grid until its dialog is closed. */
function usePastedText(onSearch: (change: SearchChange) => void) {
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

interface AddedKeyOptions extends Pick<MatrixWorkspaceProps, 'matrix' | 'search' | 'onSearch'> {
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
}

/** Goes to the row of a key that was added, once the matrix has it: to its first missing cell, or else to its name. */
function useAddedKey({ matrix, columns, model, search, onSearch }: AddedKeyOptions) {
  const [added, setAdded] = useState<string>()
  const [shown, setShown] = useState<string>()
  const isFiltered = [search.filter, search.tier, search.only].some((part) => part !== undefined)
  useEffect(() => {
    if (!isFiltered && added !== undefined) setShown(added)
  }, [added, isFiltered])
  useEffect(() => {
    const row = matrix.keys.find(({ key }) => key === added)
    if (row === undefined || shown !== added || search.panel !== undefined) return undefined
    const missing = columns.findIndex(({ at }) => row.cells[at]?.source === 'missing')
    // A grid that was just rendered has no rows yet, and an effect cannot render them.
    const frame = requestAnimationFrame(() => {
      model.navigator.current?.goTo(row.key, missing + 1)
      setAdded(undefined)
    })
    return () => cancelAnimationFrame(frame)
  }, [added, columns, matrix, model, search.panel, shown])
  const onAdded = (key: string, how: 'added' | 'staged') => {
    setAdded(key)
    onSearch({
      panel: how === 'staged' ? 'review' : undefined,
      filter: undefined,
      tier: undefined,
      only: undefined,
    })
  }
  return { shown, onAdded }
}

/** Returns the keys of the screen's tier, or all of them. */
function useKeys({ keys }: Matrix, tier: Tier | undefined): readonly MatrixKey[] {
  return useMemo(
    () => (tier === undefined ? keys : keys.filter((row) => row.tier === tier)),
    [keys, tier],
  )
}

/** Returns the environments that fit on the screen. */
function useColumns(matrix: Matrix, chosen: string | undefined): readonly GridColumn[] {
  const isNarrow = useIsNarrow()
  return useMemo(() => {
    const all = matrix.environments.map((environment, at) => ({ environment, at }))
    if (!isNarrow) return all
    const one = all.find(({ environment }) => environment.name === chosen) ?? all[0]
    return one === undefined ? [] : [one]
  }, [matrix.environments, isNarrow, chosen])
}
