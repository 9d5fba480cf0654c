import { ArrowRightLeft, ClipboardPaste, Download, Plus } from 'lucide-react'
import { wildcardId, type Tier } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { ImportLink } from '../add-key/import-link.tsx'
import type { GridModel } from '../grid/grid-model.ts'
import type { MatrixSearch } from './search.ts'
import type { Workspace } from './use-workspace.ts'
import { countChanges } from '../staged.ts'

interface MatrixActionsProps {
  readonly schemaId: string
  readonly workspace: Workspace
  /** Limits the screen to one tier. */
  readonly tier: Tier | undefined
  readonly onReview: () => void
  readonly onSearch: (change: MatrixSearch) => void
}

/** Renders the buttons above the grid: for keys and files, and for the staged changes. */
export function MatrixActions({
  schemaId,
  workspace,
  tier,
  onReview,
  onSearch,
}: MatrixActionsProps) {
  return (
    <>
      <FileActions schemaId={schemaId} model={workspace.model} tier={tier} onSearch={onSearch} />
      <StagedActions
        workspace={workspace}
        onReview={onReview}
        onDiscard={() => onSearch({ panel: 'discard' })}
      />
    </>
  )
}

interface FileActionsProps {
  readonly schemaId: string
  readonly model: GridModel
  readonly tier: Tier | undefined
  readonly onSearch: (change: MatrixSearch) => void
}

function FileActions({ schemaId, model, tier, onSearch }: FileActionsProps) {
  const noun = tier === 'featureFlags' ? 'flag' : 'key'
  const mayWrite = model.may('writeValues')
  const mayDeclare = model.may('writeSchemas', wildcardId)
  return (
    <>
      {mayDeclare && (
        <Button icon={Plus} onClick={() => onSearch({ panel: 'add' })}>
          Add {noun}
        </Button>
      )}
      {mayWrite && tier === undefined && (
        <Button icon={ClipboardPaste} onClick={() => onSearch({ panel: 'paste' })}>
          Paste .env
        </Button>
      )}
      {mayDeclare && tier === undefined && <ImportLink schemaId={schemaId} />}
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

interface StagedActionsProps {
  readonly workspace: Pick<Workspace, 'model' | 'staged' | 'check'>
  readonly onReview: () => void
  /** Discards the changes. It asks first when there is more than one. */
  readonly onDiscard: () => void
}

/** Renders the buttons that review or discard the staged changes. */
function StagedActions({ workspace, onReview, onDiscard }: StagedActionsProps) {
  const { model, staged, check } = workspace
  const count = staged.length
  const errors = check.answer?.problems.length ?? 0
  if (count === 0 || !model.may('writeValues')) return null
  return (
    <>
      <Button variant="quiet" onClick={() => (count > 1 ? onDiscard() : model.staged.clear())}>
        Discard
      </Button>
      <Button variant="primary" title="Ctrl+S" onClick={onReview}>
        {`Review ${countChanges(count)}${errors > 0 ? `, ${errors} refused` : ''}`}
      </Button>
    </>
  )
}
