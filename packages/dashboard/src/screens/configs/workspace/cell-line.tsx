import { takesRules } from '@signalbox/contract'
import { ListOrdered } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Age } from '../../../components/time.tsx'
import { useStore } from '../../../browser/store.ts'
import { useCellOf } from '../cell-store.ts'
import { notWritable, type CellNotes, type GridColumn, type GridModel } from '../grid/grid-model.ts'
import { describeConstraints } from '../describe-key.ts'
import { describeNotes } from '../notes/describe-notes.ts'
import { ProofWithReadings } from '../../proofs/proof-link.tsx'
import { WaitingLink } from '../notes/waiting.tsx'
import { findLastChange, findSettled } from '../last-change.ts'
import {
  authorOf,
  tierWords,
  toCellId,
  toValueText,
  type Author,
  type Matrix,
  type MatrixKey,
  type CellRef,
} from '../matrix.ts'
import { describeCell } from '../rules/describe-cell.ts'
import { idOf, isOvertaken, keepMine, rulesOf, type StagedCell } from '../staged.ts'
import { useIsNarrow } from './use-is-narrow.ts'

interface CellLineProps {
  readonly matrix: Matrix
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
}

const touchHelp = 'Tap for details, tap again to edit.'
const keyboardHelp =
  'Arrow keys move, Enter edits, Space presses a switch, Delete unsets, Ctrl+S reviews, / filters.'
const readerHelp =
  'You read these values. An admin can give you the role or a grant to change them.'

function toHelp({ may }: GridModel, isNarrow: boolean): string {
  if (!may('writeValues')) return readerHelp
  return isNarrow ? touchHelp : keyboardHelp
}

/** Renders the details of the active cell below the grid, so that no detail needs a tooltip. */
export function CellLine({ matrix, columns, model }: CellLineProps) {
  const position = useStore(model.active)
  const isNarrow = useIsNarrow()
  const row = matrix.keys.find(({ key }) => key === position?.key)
  const column = columns[(position?.column ?? 0) - 1]
  const cell = column && row?.cells[column.at]
  return (
    <div
      id="cell-line"
      data-footer=""
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-1.5 text-sm"
    >
      {row === undefined ? (
        <span className="text-muted">{toHelp(model, isNarrow)}</span>
      ) : column && cell ? (
        <CellFacts
          matrix={matrix}
          cellRef={{ row, cell, environment: column.environment }}
          model={model}
        />
      ) : (
        <KeyFacts matrix={matrix} row={row} />
      )}
    </div>
  )
}

function KeyFacts({ matrix, row }: Readonly<{ matrix: Matrix; row: MatrixKey }>) {
  const constraints = describeConstraints(row.constraints)
  const last = findLastChange(matrix, row)
  const settled = findSettled(matrix, row, Date.now())
  return (
    <>
      <Name>{row.key}</Name>
      <span>
        {tierWords[row.tier]}
        {row.tier === 'featureFlags' ? '' : ` ${row.type}`}
        {row.required ? ', required' : ', optional'}
        {row.targeted === true && ', targeted'}
      </span>
      {last && (
        <span className="text-muted">
          changed by {last.author.name} in {last.environment} <Age at={last.at} />
        </span>
      )}
      {settled !== undefined && (
        <span>Unchanged everywhere since: your code may no longer need it.</span>
      )}
      {describeNotes(row).map(({ name, text, isBad }) => (
        <span key={name} className={isBad ? 'text-warn' : 'text-muted'}>
          {name}: {text}
        </span>
      ))}
      {constraints !== '' && <span className="text-muted">{constraints}</span>}
      {row.description !== undefined && (
        <span className="min-w-0 truncate text-muted">{row.description}</span>
      )}
    </>
  )
}

interface CellFactsProps {
  readonly matrix: Matrix
  readonly cellRef: CellRef
  readonly model: GridModel
}

function CellFacts({ matrix, cellRef, model }: CellFactsProps) {
  const { row, cell, environment } = cellRef
  const id = toCellId(environment.id, row.key)
  const change = useCellOf(model.staged, id)
  const note = useCellOf(model.notes, id)
  const overtaken = change !== undefined && isOvertaken(change, cellRef)
  return (
    <>
      <Name>
        {row.key} <span className="text-muted">in</span> {environment.name}
      </Name>
      <SetBy author={authorOf(matrix, cell)} at={cell.updatedAt} overtaken={overtaken} />
      {!model.may('writeValues', environment.id) && <span>{notWritable}</span>}
      <UnderWay note={note} />
      {note?.problem !== undefined && (
        <span role="alert" className="min-w-0 text-bad">
          {note.problem}
        </span>
      )}
      {takesRules(row) && <FlagFacts cellRef={cellRef} change={change} model={model} />}
      {change === undefined ? (
        <span className="min-w-0 truncate text-muted">{describeConstraints(row.constraints)}</span>
      ) : (
        <StagedFacts cellRef={cellRef} change={change} overtaken={overtaken} model={model} />
      )}
    </>
  )
}

/** Says what is under way with a cell: a request, a rollout, a proof. */
function UnderWay({ note }: { readonly note: CellNotes | undefined }) {
  return (
    <>
      {note?.waiting && <WaitingLink waiting={note.waiting} />}
      {note?.rollout !== undefined && <span className="text-info">{note.rollout}</span>}
      {note?.proof && <ProofWithReadings proof={note.proof} />}
    </>
  )
}

interface FlagFactsProps {
  readonly cellRef: CellRef
  readonly change: StagedCell | undefined
  readonly model: GridModel
}

/** Says who gets a flag, and opens its rules. */
function FlagFacts({ cellRef, change, model }: FlagFactsProps) {
  const hasRules = rulesOf(change, cellRef).length > 0
  return (
    <>
      {hasRules && <span className="min-w-0 wrap-anywhere">{describeCell(cellRef, change)}</span>}
      <Button variant="quiet" icon={ListOrdered} onClick={() => model.openRules(cellRef)}>
        {hasRules || !model.may('writeValues', cellRef.environment.id) ? 'Rules' : 'Add rules'}
      </Button>
    </>
  )
}

interface SetByProps {
  readonly author: Author | undefined
  readonly at: string | undefined
  readonly overtaken: boolean
}

function SetBy({ author, at, overtaken }: SetByProps) {
  if (author === undefined || at === undefined) return null
  return (
    <span className={overtaken ? 'text-bad' : 'text-muted'}>
      {overtaken ? `${author.name} saved it` : `set by ${author.name}`} <Age at={at} />
    </span>
  )
}

interface StagedFactsProps {
  readonly cellRef: CellRef
  readonly change: StagedCell
  readonly overtaken: boolean
  readonly model: GridModel
}

function StagedFacts({ cellRef, change, overtaken, model: { staged } }: StagedFactsProps) {
  const saved = change.secret ? 'a secret' : toShown(cellRef.cell.value)
  const drop = () => staged.drop([idOf(change)])
  if (!overtaken) {
    return (
      <>
        <span className="min-w-0 truncate text-muted">Unsaved. Current value: {saved}</span>
        <Button variant="quiet" onClick={drop}>
          Discard
        </Button>
      </>
    )
  }
  return (
    <>
      <span className="min-w-0 truncate">Theirs: {saved}</span>
      <Button variant="quiet" onClick={drop}>
        Take theirs
      </Button>
      <Button variant="quiet" onClick={() => staged.put([keepMine(change, cellRef)])}>
        Keep mine
      </Button>
    </>
  )
}

function Name({ children }: { readonly children: ReactNode }) {
  return <span className="max-w-full min-w-0 font-mono break-all">{children}</span>
}

function toShown(value: CellRef['cell']['value']): string {
  return value === undefined ? 'nothing' : toValueText(value)
}
