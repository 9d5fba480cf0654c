import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { ClipboardPaste, Download } from 'lucide-react'
import type { Tier } from '@signalbox/contract'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import type { GridColumn } from '../grid/grid-model.ts'
import { ExportDialog } from '../env-file/export-dialog.tsx'
import { PasteDialog } from '../env-file/paste-dialog.tsx'
import type { Matrix } from '../matrix.ts'
import { ReviewDrawer } from '../review/review-drawer.tsx'
import { MatrixPanel } from './matrix-panel.tsx'
import { RowMenu } from './row-menu.tsx'
import type { MatrixSearch, SearchChange } from './search.ts'
import { StagedActions } from './staged-actions.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useWorkspace, type Workspace } from './use-workspace.ts'

interface MatrixWorkspaceProps {
  readonly title: string
  readonly matrix: Matrix
  /** The only tier that is shown; left out: all of them, to choose from. */
  readonly tier?: Tier
  readonly turnsAtOnce?: boolean
  readonly schemaPicker: ReactNode
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  /** Instead of the grid, when there is no key of this kind. */
  readonly empty: ReactNode
}

/** The values of a schema in all environments: looked at, edited, reviewed and saved as one. */
export function MatrixWorkspace(props: MatrixWorkspaceProps) {
  const { title, matrix, tier, turnsAtOnce = false, schemaPicker, search, onSearch, empty } = props
  const workspace = useWorkspace({ matrix, turnsAtOnce })
  const { model, staged, check, menu, closeMenu } = workspace
  const [pasted, setPasted] = useState<PastedText>()
  const columns = useColumns(matrix, search.environment)
  const keys = useMemo(
    () => (tier === undefined ? matrix.keys : matrix.keys.filter((row) => row.tier === tier)),
    [matrix.keys, tier],
  )
  const onReview = useCallback(() => {
    if (model.staged.all().length > 0) onSearch({ panel: 'review' })
  }, [model, onSearch])
  return (
    <Page
      title={title}
      beside={schemaPicker}
      actions={
        <>
          {tier === undefined && <FileActions mayWrite={model.mayWrite} onSearch={onSearch} />}
          {model.mayWrite && (
            <StagedActions
              count={staged.length}
              check={check}
              changes={model.staged}
              onReview={onReview}
            />
          )}
        </>
      }
    >
      {keys.length === 0 || matrix.environments.length === 0 ? (
        empty
      ) : (
        <MatrixPanel
          {...props}
          keys={keys}
          columns={columns}
          model={model}
          onReview={onReview}
          onEnvText={(text, environmentId) => {
            setPasted({ text, environmentId })
            onSearch({ panel: 'paste' })
          }}
        />
      )}
      <RowMenu matrix={matrix} columns={columns} model={model} menu={menu} onClose={closeMenu} />
      <Panels
        matrix={matrix}
        workspace={workspace}
        open={search.panel}
        pasted={pasted}
        onClose={() => {
          setPasted(undefined)
          onSearch({ panel: undefined })
        }}
      />
    </Page>
  )
}

interface PastedText {
  readonly text: string
  readonly environmentId: string | undefined
}

interface PanelsProps {
  readonly matrix: Matrix
  readonly workspace: Workspace
  readonly open: MatrixSearch['panel']
  readonly pasted: PastedText | undefined
  readonly onClose: () => void
}

/** What lies over the grid. */
function Panels({ matrix, workspace, open, pasted, onClose }: PanelsProps) {
  const { model, staged, check } = workspace
  if (open === 'export') return <ExportDialog matrix={matrix} onClose={onClose} />
  if (!model.mayWrite) return null
  if (open === 'paste')
    return <PasteDialog matrix={matrix} start={pasted} changes={model.staged} onClose={onClose} />
  return open === 'review' && staged.length > 0 ? (
    <ReviewDrawer matrix={matrix} changes={model.staged} check={check} onClose={onClose} />
  ) : null
}

interface FileActionsProps {
  readonly mayWrite: boolean
  readonly onSearch: (change: SearchChange) => void
}

function FileActions({ mayWrite, onSearch }: FileActionsProps) {
  return (
    <>
      {mayWrite && (
        <Button icon={ClipboardPaste} onClick={() => onSearch({ panel: 'paste' })}>
          Paste .env
        </Button>
      )}
      <Button icon={Download} onClick={() => onSearch({ panel: 'export' })}>
        Export
      </Button>
    </>
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
