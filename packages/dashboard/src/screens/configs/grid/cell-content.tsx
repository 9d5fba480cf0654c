import { CircleAlert, Pencil, TriangleAlert, Undo2 } from 'lucide-react'
import { MiddleText } from '../../../components/middle-text.tsx'
import { Switch } from '../../../components/switch.tsx'
import {
  toCellId,
  toValueText,
  type MatrixCell,
  type MatrixEnvironment,
  type MatrixKey,
  type CellRef,
} from '../matrix.ts'
import { toEditText } from '../parse-value.ts'
import { describeCell } from '../rules/describe-cell.ts'
import { KillSwitch } from '../notes/kill-switch.tsx'
import { WaitingMark } from '../notes/waiting.tsx'
import { RolloutMark } from '../notes/rollout-mark.tsx'
import { ProofMark } from '../../proofs/proof-link.tsx'
import { rulesOf, type StagedCell } from '../staged.ts'
import { findOtherSecrets, findSameSecret } from './compare-secrets.ts'
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

/** Renders a cell that is not being edited. */
export function CellContent(props: CellContentProps) {
  const { row, change } = props
  return (
    <>
      {change?.edit.kind === 'unset' ? (
        <Unset />
      ) : isSwitch(row) ? (
        <SwitchValue {...props} />
      ) : row.tier === 'secret' ? (
        <SecretValue {...props} />
      ) : (
        <OpenValue {...props} />
      )}
      {change === undefined && <Origin {...props} />}
      {props.note?.rollout !== undefined && <RolloutMark text={props.note.rollout} />}
      {props.note?.proof && <ProofMark proof={props.note.proof} />}
      {props.note?.waiting && <WaitingMark waiting={props.note.waiting} />}
      <Marks {...props} />
    </>
  )
}

/**
 * Renders the end of a cell: the button of a secret, and the state of a change. A single mark gets no box of
 * its own.
 */
function Marks(props: CellContentProps) {
  const { row, cell, environment, note, model } = props
  if (isMarked(props)) {
    return (
      <span className="ml-auto flex shrink-0 items-center gap-1">
        <ChangeMark {...props} />
      </span>
    )
  }
  if (!holdsSecret(props) || !model.may('readSecrets', environment.id)) return null
  return <RevealButton cellRef={{ row, cell, environment }} note={note} model={model} />
}

/** Says who gets what, and opens the rules. */
function RulesButton({ row, cell, environment, change, model }: CellContentProps) {
  const words = describeCell({ cell }, change)
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`Rules of ${row.key} in ${environment.name}: ${words}`}
      title={words}
      className="min-h-7 min-w-12 truncate rounded bg-raised px-1.5 text-sm text-text hover:underline"
      onClick={(event) => {
        event.stopPropagation()
        model.openRules({ row, cell, environment })
      }}
    >
      {words}
    </button>
  )
}

/** Returns whether the cell shows a mark: a staged change, or one of somebody else. */
function isMarked({ change, note, overtaken }: CellContentProps): boolean {
  return change !== undefined || overtaken || note?.problem !== undefined
}

function holdsSecret({ row, cell }: Pick<CellContentProps, 'row' | 'cell'>): boolean {
  return row.tier === 'secret' && cell.source !== 'missing' && cell.source !== 'unset'
}

function ChangeMark({ change, note, overtaken }: CellContentProps) {
  if (overtaken || note?.problem !== undefined) {
    return (
      <span title={note?.problem ?? 'Somebody else changed it'} className="text-bad">
        <TriangleAlert aria-hidden size={14} />
        <span className="sr-only">{overtaken ? 'conflict' : 'refused'}</span>
      </span>
    )
  }
  if (change === undefined) return null
  return (
    <span title="Staged, not saved" className="text-warn">
      <Pencil aria-hidden size={12} />
      <span className="sr-only">staged</span>
    </span>
  )
}

/** Renders one control for each kind of flag, so that none has two meanings: a switch is for everyone. */
function SwitchValue(props: CellContentProps) {
  const { row, cell, environment, change, model } = props
  const cellRef = { row, cell, environment }
  if (row.killSwitch === true) {
    return (
      <>
        <RulesButton {...props} />
        <KillSwitch cellRef={cellRef} model={model} tabIndex={-1} />
      </>
    )
  }
  if (rulesOf(change, cellRef).length > 0) return <RulesButton {...props} />
  return (
    <Switch
      label={`${row.key} in ${environment.name}`}
      checked={isOn(change, cellRef)}
      staged={change !== undefined}
      disabled={!model.may('writeValues', environment.id)}
      tabIndex={-1}
      onChange={(checked) => model.keepStaged([{ cellRef, value: checked }])}
    />
  )
}

/** Limits the end of a value that stays visible. */
const valueTail = 8

const valueVariant = 'min-w-0 font-mono text-[0.93rem] whitespace-pre'

function OpenValue(props: CellContentProps) {
  const { cell, change } = props
  if (rulesOf(change, { cell }).length > 0) return <RulesButton {...props} />
  const value = change?.edit.kind === 'set' ? change.edit.value : cell.value
  if (value === undefined) return null
  const isOwn = change !== undefined || cell.source === 'set'
  const text = toValueText(value)
  return (
    <MiddleText
      text={text === '' ? '""' : text}
      tail={valueTail}
      className={`${valueVariant} ${isOwn ? '' : 'text-muted'}`}
      title={toEditText(value)}
    />
  )
}

function SecretValue({ row, cell, at, columns, change }: CellContentProps) {
  if (change !== undefined) return <span className="text-sm">new value</span>
  if (!holdsSecret({ row, cell })) return null
  return (
    <>
      <span aria-label="secret" role="img" className="tracking-widest text-muted">
        ••••••••
      </span>
      {cell.source !== 'inherited' && <Comparison row={row} at={at} columns={columns} />}
    </>
  )
}

/** Compares a secret with those before it in its row. An inherited one names its source and needs no comparison. */
function Comparison({
  row: { cells },
  at,
  columns,
}: Pick<CellContentProps, 'row' | 'at' | 'columns'>) {
  // A hidden environment is not named: nothing on the screen would explain the comparison.
  const nameOf = (cellRef: number | undefined) =>
    columns.find((column) => column.at === cellRef)?.environment.name
  const same = findSameSecret(cells, at)
  const sameName = nameOf(same)
  const others =
    same === undefined ? findOtherSecrets(cells, at).flatMap((one) => nameOf(one) ?? []) : []
  if (sameName === undefined && others.length === 0) return null
  return (
    <span
      className="min-w-0 truncate text-xs text-muted"
      title={
        sameName === undefined
          ? `Not the same as in ${others.join(', ')}`
          : `The same as in ${sameName}`
      }
    >
      {sameName === undefined ? 'differs' : `= ${sameName}`}
    </span>
  )
}

interface RevealButtonProps {
  readonly cellRef: CellRef
  readonly note: CellNotes | undefined
  readonly model: GridModel
}

function RevealButton({ cellRef, note, model }: RevealButtonProps) {
  const { row, environment } = cellRef
  const isRevealed = note?.revealed === true
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${isRevealed ? 'Hide' : 'Reveal'} ${row.key} of ${environment.name}`}
      title={isRevealed ? 'Hide' : 'Reveal for 30 seconds. The audit log records it.'}
      className={`ml-auto inline-flex size-7 shrink-0 items-center justify-center rounded text-muted before:cell-icon before:cell-icon-eye hover:bg-raised hover:text-text ${isRevealed ? 'before:cell-icon-crossed' : ''}`}
      onClick={(event) => {
        event.stopPropagation()
        if (isRevealed) model.hide(toCellId(environment.id, row.key))
        else model.reveal(cellRef)
      }}
    />
  )
}

function Unset() {
  return (
    <span className="inline-flex items-center gap-1 text-sm">
      <Undo2 aria-hidden size={13} /> unset
    </span>
  )
}

/** Shows the source of a value that the environment does not set, or that there is none. */
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
      const name = columns[0]?.names.get(cell.inheritedFrom ?? '') ?? 'its parent'
      return (
        <span
          className="max-w-20 shrink-0 truncate text-xs text-muted max-sm:min-w-8 max-sm:shrink-[99]"
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
