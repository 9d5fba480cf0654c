import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { ClipboardPaste, Download, Plus } from 'lucide-react'
import type { Tier } from '@signalbox/contract'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import type { GridColumn } from '../grid/grid-model.ts'
import type { Matrix } from '../matrix.ts'
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
  const {
    title,
    schema,
    matrix,
    tier,
    turnsAtOnce = false,
    schemaPicker,
    search,
    onSearch,
    empty,
  } = props
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
          <FileActions mayWrite={model.mayWrite} tier={tier} onSearch={onSearch} />
          {model.mayWrite && (
            <StagedActions
              count={staged.length}
              check={check}
              changes={model.staged}
              onReview={onReview}
              onDiscard={() => onSearch({ panel: 'discard' })}
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
      <RowMenu
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
        onClose={() => {
          setPasted(undefined)
          onSearch({ panel: undefined, key: undefined, from: undefined, format: undefined })
        }}
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
      {tier === undefined && (
        <Button icon={Download} onClick={() => onSearch({ panel: 'export' })}>
          Export
        </Button>
      )}
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
