import { useEffect, useRef } from 'react'
import { takesRules, wildcardId, type Tier } from '@signalbox/contract'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { AddKeyDialog } from '../add-key/add-key-dialog.tsx'
import { DeleteKeyDialog } from '../edit-key/delete-key-dialog.tsx'
import { EditKeyDialog } from '../edit-key/edit-key-dialog.tsx'
import { ExportDialog } from '../env-file/export-dialog.tsx'
import { PasteDialog } from '../env-file/paste-dialog.tsx'
import type { GridColumn, GridModel } from '../grid/grid-model.ts'
import type { Matrix } from '../matrix.ts'
import { PromoteDrawer } from '../promote/promote-drawer.tsx'
import { ReviewDrawer } from '../review/review-drawer.tsx'
import { FlagDrawer } from '../rules/flag-drawer.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { WithNewSegment } from '../segments/with-new-segment.tsx'
import type { StagedChanges } from '../staged-store.ts'
import { countChanges } from '../staged.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { KeyDialog } from './key-dialog.tsx'
import type { MatrixSearch } from './search.ts'
import type { Workspace } from './use-workspace.ts'

/** Describes a text that was pasted into the grid. */
export interface PastedText {
  readonly text: string
  readonly environmentId: string | undefined
}

interface PanelsProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly columns: readonly GridColumn[]
  readonly workspace: Workspace
  readonly search: MatrixSearch
  /** Limits the screen to one tier. */
  readonly tier: Tier | undefined
  readonly pasted: PastedText | undefined
  readonly onSearch: (change: MatrixSearch) => void
  readonly onAdded: (key: string) => void
  readonly onClose: () => void
}

/** Renders the dialog over the grid that the address names. */
export function Panels(props: PanelsProps) {
  const { matrix, search, onSearch, onClose } = props
  if (search.panel === 'export') {
    return <ExportDialog matrix={matrix} search={search} onSearch={onSearch} onClose={onClose} />
  }
  if (keyPanels.has(search.panel)) return <KeyPanel {...props} />
  if (search.panel === 'rules') return <RulesPanel {...props} />
  return <WritePanel {...props} />
}

/** Lists the dialogs about one key. */
const keyPanels: ReadonlySet<MatrixSearch['panel']> = new Set(['about', 'copy', 'edit', 'delete'])

/** Renders the dialogs about one key. Closing one returns the focus to that key. */
function KeyPanel(props: PanelsProps) {
  const { schema, matrix, columns, workspace, search, onSearch, onClose } = props
  const { model } = workspace
  const row = matrix.keys.find(({ key }) => key === search.key)
  const column = 1 + columns.findIndex(({ environment }) => environment.name === search.from)
  useFocusAfter(model, row?.key, column)
  const mayDeclare = model.may('writeSchemas', wildcardId)
  if (row === undefined) return null
  if (search.panel === 'about') {
    return (
      <KeyDialog
        schema={schema}
        environments={matrix.environments}
        row={row}
        mayDeclare={mayDeclare}
        onPanel={(panel) => onSearch({ panel })}
        onClose={onClose}
      />
    )
  }
  if (search.panel === 'copy') {
    return row.tier === 'secret' || !model.may('writeValues') ? null : (
      <CopyDialog
        matrix={matrix}
        row={row}
        from={matrix.environments.find(({ name }) => name === search.from)?.id}
        model={model}
        onClose={onClose}
      />
    )
  }
  if (!mayDeclare) return null
  const shownKey = schema.schema[row.key]
  if (search.panel === 'edit') {
    return (
      shownKey && (
        <EditKeyDialog
          schema={schema}
          matrix={matrix}
          row={row}
          shownKey={shownKey}
          onClose={onClose}
        />
      )
    )
  }
  return <DeleteKeyDialog schema={schema} matrix={matrix} row={row} onClose={onClose} />
}

/** Renders the rules of a flag. Closing them returns the focus to the flag. */
function RulesPanel({ matrix, columns, workspace, search, onSearch, onClose }: PanelsProps) {
  const { model } = workspace
  const row = matrix.keys.find((one) => one.key === search.key && takesRules(one))
  const column = 1 + columns.findIndex(({ environment }) => environment.name === search.from)
  useFocusAfter(model, row?.key, column)
  if (row === undefined) return null
  return (
    <WithNewSegment>
      <FlagDrawer
        matrix={matrix}
        row={row}
        from={search.from}
        model={model}
        onEnvironment={(from) => onSearch({ from })}
        onReview={() => onSearch({ panel: 'review', key: undefined, from: undefined })}
        onClose={onClose}
      />
    </WithNewSegment>
  )
}

/** Focuses a cell after the dialog has left the page: until then nothing behind it takes the focus. */
function useFocusAfter({ navigator }: GridModel, key: string | undefined, column: number): void {
  const target = useRef({ key, column })
  useEffect(() => {
    const { current } = target
    return () => {
      if (current.key !== undefined) navigator.current?.goTo(current.key, current.column)
    }
  }, [navigator])
}

function WritePanel(props: PanelsProps) {
  const { schema, matrix, workspace, search, tier, pasted, onSearch, onAdded, onClose } = props
  const { model, staged, check } = workspace
  if (search.panel === 'add') {
    return model.may('writeSchemas', wildcardId) ? (
      <AddKeyDialog
        schema={schema}
        matrix={matrix}
        tier={tier ?? search.tier ?? 'secret'}
        onAdded={onAdded}
        onClose={onClose}
      />
    ) : null
  }
  if (!model.may('writeValues')) return null
  if (search.panel === 'promote') {
    return (
      <PromoteDrawer
        schema={schema}
        matrix={matrix}
        search={search}
        model={model}
        onSearch={onSearch}
        onClose={onClose}
      />
    )
  }
  if (search.panel === 'paste') {
    return <PasteDialog matrix={matrix} start={pasted} model={model} onClose={onClose} />
  }
  if (staged.length === 0) return null
  if (search.panel === 'discard') {
    return <DiscardDialog count={staged.length} changes={model.staged} onClose={onClose} />
  }
  return search.panel === 'review' ? (
    <ReviewDrawer matrix={matrix} changes={model.staged} check={check} onClose={onClose} />
  ) : null
}

interface DiscardDialogProps {
  readonly count: number
  readonly changes: StagedChanges
  readonly onClose: () => void
}

/** Asks for confirmation before all staged changes are discarded. */
function DiscardDialog({ count, changes, onClose }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      title={`Discard ${countChanges(count)}?`}
      action="Discard"
      onConfirm={() => {
        changes.clear()
        onClose()
      }}
      onClose={onClose}
    >
      Your unsaved changes will be lost.
    </ConfirmDialog>
  )
}
