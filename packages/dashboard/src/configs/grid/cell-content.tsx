import { CircleAlert, Eye, EyeOff, Pencil, TriangleAlert, Undo2 } from 'lucide-react'
import { Switch } from '../../parts/switch.tsx'
import {
  toCellId,
  toValueText,
  type MatrixCell,
  type MatrixEnvironment,
  type MatrixKey,
} from '../matrix.ts'
import type { StagedCell } from '../staged.ts'
import { findSameSecret } from './compare-secrets.ts'
import type { CellNotes, GridColumn, GridModel } from './grid-model.ts'
import { isOn, isSwitch } from './use-grid-keyboard.ts'

interface CellContentProps {
  readonly row: MatrixKey
  readonly cell: MatrixCell
  readonly environment: MatrixEnvironment
  readonly at: number
  readonly columns: readonly GridColumn[]
  readonly change: StagedCell | undefined
  readonly note: CellNotes | undefined
  readonly overtaken: boolean
  readonly model: GridModel
}

/** What a cell shows while it is not edited. */
export function CellContent(props: CellContentProps) {
  const { row, cell, change, note, overtaken } = props
  const isFaulty = overtaken || note?.problem !== undefined
  return (
    <>
      {isSwitch(row) && change?.edit.kind !== 'unset' ? (
        <SwitchValue {...props} />
      ) : row.tier === 'secret' ? (
        <SecretValue {...props} />
      ) : (
        <OpenValue {...props} />
      )}
      {change === undefined && <Origin {...props} />}
      <span className="ml-auto flex shrink-0 items-center gap-1 empty:hidden">
        {cell.rules !== undefined && cell.rules.length > 0 && (
          <span className="rounded bg-raised px-1 text-xs text-muted">
            {cell.rules.length} {cell.rules.length === 1 ? 'rule' : 'rules'}
          </span>
        )}
        {isFaulty && (
          <span title={note?.problem ?? 'Somebody else has changed it'} className="text-bad">
            <TriangleAlert aria-hidden size={14} />
            <span className="sr-only">{overtaken ? 'conflict' : 'refused'}</span>
          </span>
        )}
        {change !== undefined && !isFaulty && (
          <span title="Staged, not saved" className="text-warn">
            <Pencil aria-hidden size={12} />
            <span className="sr-only">staged</span>
          </span>
        )}
      </span>
    </>
  )
}

function SwitchValue({ row, cell, environment, change, note, model }: CellContentProps) {
  const place = { row, cell, environment }
  const shown = change !== undefined || note?.switchedTo !== undefined || cell.value !== undefined
  return (
    <>
      <Switch
        label={`${row.key} in ${environment.name}`}
        checked={isOn(model, place)}
        staged={change !== undefined}
        disabled={!model.mayWrite}
        tabIndex={-1}
        onChange={(checked) => model.toggle(place, checked)}
      />
      {!shown && <span className="sr-only">not set</span>}
    </>
  )
}

function OpenValue({ cell, change }: CellContentProps) {
  if (change?.edit.kind === 'unset') return <Unset />
  const value = change?.edit.value ?? cell.value
  if (value === undefined) return null
  const isOwn = change !== undefined || cell.source === 'set'
  const text = toValueText(value)
  return (
    <bdi
      className={`min-w-0 truncate font-mono text-[0.93rem] whitespace-pre ${isOwn ? '' : 'text-muted'}`}
      title={String(value)}
    >
      {text === '' ? '""' : text}
    </bdi>
  )
}

function SecretValue({
  row,
  cell,
  at,
  columns,
  environment,
  change,
  note,
  model,
}: CellContentProps) {
  if (change?.edit.kind === 'unset') return <Unset />
  if (change !== undefined) return <span className="text-sm">new value</span>
  if (cell.source === 'missing' || cell.source === 'unset') return null
  const id = toCellId(environment.id, row.key)
  const isRevealed = note?.revealed !== undefined
  const same = findSameSecret(row.cells, at)
  const sameName = columns.find((column) => column.at === same)?.environment.name
  return (
    <>
      {isRevealed ? (
        <bdi className="min-w-0 truncate font-mono text-[0.93rem] whitespace-pre">
          {toValueText(note.revealed)}
        </bdi>
      ) : (
        <span aria-label="secret" role="img" className="tracking-widest text-muted">
          ••••••••
        </span>
      )}
      {!isRevealed && sameName !== undefined && (
        <span className="min-w-0 truncate text-xs text-muted" title={`The same as in ${sameName}`}>
          = {sameName}
        </span>
      )}
      {model.mayWrite && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${isRevealed ? 'Hide' : 'Reveal'} ${row.key} of ${environment.name}`}
          title={isRevealed ? 'Hide' : 'Reveal for 30 seconds; the audit log says so'}
          className="ml-auto inline-flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-raised hover:text-text"
          onClick={(event) => {
            event.stopPropagation()
            if (isRevealed) model.hide(id)
            else model.reveal({ row, cell, environment })
          }}
        >
          {isRevealed ? <EyeOff aria-hidden size={14} /> : <Eye aria-hidden size={14} />}
        </button>
      )}
    </>
  )
}

function Unset() {
  return (
    <span className="inline-flex items-center gap-1 text-sm">
      <Undo2 aria-hidden size={13} /> unset
    </span>
  )
}

/** Where a value is from, unless the environment sets it; or that there is none. */
function Origin({ cell, columns }: CellContentProps) {
  switch (cell.source) {
    case 'missing':
      return (
        <span className="inline-flex items-center gap-1 text-bad">
          <CircleAlert aria-hidden size={14} /> missing
        </span>
      )
    case 'unset':
      return <span className="text-muted">not set</span>
    case 'default':
      return <span className="shrink-0 text-xs text-muted">default</span>
    case 'inherited': {
      const from = columns.find(({ environment }) => environment.id === cell.inheritedFrom)
      const name = from?.environment.name ?? 'its parent'
      return (
        <span
          className="min-w-0 shrink truncate text-xs text-muted"
          title={`Inherited from ${name}`}
        >
          ↑ {name}
        </span>
      )
    }
    case 'set':
      return null
  }
}
