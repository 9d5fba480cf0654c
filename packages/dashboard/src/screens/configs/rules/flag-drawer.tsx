import { useState } from 'react'
import { describeFlag, isTurnedOff, turnOff, turnOn, type ConfigValue } from '@signalbox/contract'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { DocsLink } from '../../../components/docs-link.tsx'
import { useCellOf } from '../cell-store.ts'
import { notWritable, type GridModel } from '../grid/grid-model.ts'
import { toCellId, type CellRef, type FlagRules, type Matrix, type MatrixKey } from '../matrix.ts'
import { isOn, isSwitch } from '../grid/use-grid-keyboard.ts'
import { idOf, rulesOf, type StagedCell } from '../staged.ts'
import { useStaged } from '../staged-store.ts'
import { KillSwitch } from '../notes/kill-switch.tsx'
import { putStagedEdit } from '../workspace/stage-values.ts'
import { NoteList } from '../notes/note-list.tsx'
import { RolloutPanel } from './rollout/rollout-panel.tsx'
import { WaitingLink } from '../notes/waiting.tsx'
import { describeCell } from './describe-cell.ts'
import { RestField } from './rest-field.tsx'
import { listAttributes } from './list-attributes.ts'
import { RuleList } from './rule-list.tsx'
import { TestContext } from './test-context.tsx'

interface FlagDrawerProps {
  readonly matrix: Matrix
  readonly row: MatrixKey
  /** Names the environment to begin with. Absent: the first one with rules, else the first. */
  readonly from: string | undefined
  readonly model: GridModel
  readonly onEnvironment: (name: string) => void
  readonly onReview: () => void
  readonly onClose: () => void
}

/** Renders who gets a flag in each environment: its rules in their order, an editor for them, and a test. */
export function FlagDrawer(props: FlagDrawerProps) {
  const { matrix, row, from, model, onEnvironment, onReview, onClose } = props
  const staged = useStaged(model.staged)
  const [isEditing, setEditing] = useState(false)
  const named = matrix.environments.findIndex(({ name }) => name === from)
  const at =
    named >= 0
      ? named
      : Math.max(
          0,
          row.cells.findIndex(({ rules = [] }) => rules.length > 0),
        )
  const [environment, cell] = [matrix.environments[at], row.cells[at]]
  if (environment === undefined || cell === undefined) return null
  return (
    <Dialog
      shape="drawer"
      title={row.key}
      description={row.description}
      onClose={() => {
        // A rule that is being edited is not lost by a press beside the drawer.
        if (!isEditing) onClose()
      }}
    >
      <NoteList row={row} />
      <EnvironmentChoice
        matrix={matrix}
        row={row}
        model={model}
        staged={staged}
        chosen={environment.id}
        isLocked={isEditing}
        onChoose={onEnvironment}
      />
      <FlagEditor
        key={environment.id}
        matrix={matrix}
        cellRef={{ row, cell, environment }}
        model={model}
        onEditing={setEditing}
      />
      <DialogActions>
        {isEditing && (
          <span role="status" className="mr-auto self-center text-sm text-muted">
            Finish the open rule first.
          </span>
        )}
        <Button disabled={isEditing} onClick={onClose}>
          Close
        </Button>
        {staged.length > 0 && model.may('writeValues') && (
          <Button variant="primary" disabled={isEditing} onClick={onReview}>
            Review {staged.length === 1 ? '1 change' : `${staged.length} changes`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

interface EnvironmentChoiceProps {
  readonly matrix: Matrix
  readonly row: MatrixKey
  readonly model: GridModel
  readonly staged: readonly StagedCell[]
  readonly chosen: string
  readonly isLocked: boolean
  readonly onChoose: (name: string) => void
}

/** Renders the state of a flag in every environment, and selects one of them. */
function EnvironmentChoice({ matrix, row, model, ...props }: EnvironmentChoiceProps) {
  return (
    <ul aria-label="Environments" className="divide-y divide-line rounded-lg border border-line">
      {matrix.environments.map((environment, at) => {
        const cell = row.cells[at]
        const change = props.staged.find((one) => idOf(one) === toCellId(environment.id, row.key))
        return (
          <li
            key={environment.id}
            className="flex items-center has-[[aria-pressed=true]]:bg-raised"
          >
            <button
              type="button"
              aria-pressed={environment.id === props.chosen}
              disabled={props.isLocked && environment.id !== props.chosen}
              className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-3 px-3 py-1 text-left hover:bg-raised aria-pressed:bg-raised aria-pressed:shadow-[inset_3px_0_var(--color-accent)] disabled:opacity-60 forced-colors:aria-pressed:outline-2"
              onClick={() => props.onChoose(environment.name)}
            >
              <span className="min-w-0 shrink-0 basis-32 font-medium wrap-anywhere">
                {environment.name}
              </span>
              <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
                {cell && describeCell({ cell }, change)}
              </span>
              {change !== undefined && <Badge tone="warn">staged</Badge>}
            </button>
            <WaitingIn model={model} id={toCellId(environment.id, row.key)} />
            {cell && row.killSwitch === true && (
              <KillSwitch
                cellRef={{ row, cell, environment }}
                model={model}
                isLocked={props.isLocked}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface WaitingInProps {
  readonly model: GridModel
  /** Holds the id of the cell. */
  readonly id: string
}

/** Links to the change that waits for people, if there is one. */
function WaitingIn({ model, id }: WaitingInProps) {
  const waiting = useCellOf(model.notes, id)?.waiting
  return (
    waiting && (
      <span className="shrink-0 px-3 text-sm">
        <WaitingLink waiting={waiting} />
      </span>
    )
  )
}

interface FlagEditorProps {
  readonly matrix: Matrix
  readonly cellRef: CellRef
  readonly model: GridModel
  readonly onEditing: (isEditing: boolean) => void
}

/** Renders the rules of a flag in one environment. Every edit is staged; the review saves it. */
function FlagEditor({ matrix, cellRef, model, onEditing }: FlagEditorProps) {
  const { row, cell, environment } = cellRef
  const change = useCellOf(model.staged, toCellId(environment.id, row.key))
  const { isOff, value, rules, allRules, put } = toEdited(model, cellRef, change)
  const mayWrite = model.may('writeValues', environment.id)
  const question = row.tier === 'featureFlags' ? 'Who gets it' : 'Who gets which value'
  return (
    <>
      <section aria-label={`Rules in ${environment.name}`} className="flex flex-col gap-2">
        <h3 className="font-semibold">{`${question} in ${environment.name}`}</h3>
        <Limits isOff={isOff} mayWrite={mayWrite} />
        <Source matrix={matrix} cellRef={cellRef} isStaged={change !== undefined} />
        <RolloutPanel
          schemaId={matrix.schema.id}
          cellRef={cellRef}
          mayWrite={mayWrite && !isOff}
          isStaged={change !== undefined}
        />
        <RuleList
          row={row}
          value={value}
          rules={rules}
          attributes={listAttributes(matrix, rules)}
          mayWrite={mayWrite && value !== undefined}
          onRules={(next) => put(value, next)}
          onEditing={onEditing}
        />
        {value === undefined && mayWrite && (
          <p className="text-sm text-muted">
            Give everyone a value below. Then you can add rules that serve other values.
          </p>
        )}
        <RestField
          row={row}
          audience={`${rules.length === 0 ? 'everyone' : 'everyone else'} in ${environment.name}`}
          value={value}
          isStaged={change !== undefined}
          mayWrite={mayWrite}
          onValue={(next) => put(next, rules)}
        />
        {change !== undefined && (
          <Unsaved cell={cell} onDiscard={() => model.staged.drop([idOf(change)])} />
        )}
      </section>
      {value !== undefined && (
        <TestContext
          flag={{
            schemaId: matrix.schema.id,
            key: row.key,
            value: isOff ? false : value,
            rules: allRules,
            variants: row.variants,
          }}
          environment={environment.name}
        />
      )}
      <AboutRules />
    </>
  )
}

/** Says what keeps the rules from counting, or from being edited. */
function Limits({ isOff, mayWrite }: Readonly<{ isOff: boolean; mayWrite: boolean }>) {
  return (
    <>
      {isOff && (
        <p role="status" className="text-sm text-warn">
          Turned off: nobody gets it. What stands below waits until it is turned on.
        </p>
      )}
      {!mayWrite && <p className="text-sm text-muted">{notWritable}</p>}
    </>
  )
}

function AboutRules() {
  return (
    <p className="text-sm text-muted">
      The first rule whose conditions all hold decides. Browser keys see the outcome, never the
      rules. <DocsLink page="feature-flags#in-the-dashboard">About rules</DocsLink>
    </p>
  )
}

/** Returns what the editor shows of a flag, and stages its edits: of one that is turned off, what is kept aside. */
function toEdited(model: GridModel, cellRef: CellRef, change: StagedCell | undefined) {
  const allRules = rulesOf(change, cellRef)
  const isOff = isTurnedOff(allRules)
  const { value, rules } = isOff
    ? (turnOn(allRules) ?? { value: false, rules: [] })
    : { value: valueOf(change, cellRef), rules: allRules }
  const put = (next: ConfigValue | undefined, nextRules: FlagRules) => {
    // Rules stand before a value, so one without a value gets the one that is typed first.
    if (next === undefined) return
    const own =
      isOff && typeof next === 'boolean'
        ? turnOff({ value: next, rules: nextRules })
        : { value: next, rules: nextRules }
    putStagedEdit(model.staged, cellRef, { kind: 'set', ...own })
  }
  return { isOff, value, rules, allRules, put }
}

function valueOf(change: StagedCell | undefined, cellRef: CellRef): ConfigValue | undefined {
  if (isSwitch(cellRef.row)) return isOn(change, cellRef)
  return change?.edit.kind === 'set' ? change.edit.value : cellRef.cell.value
}

interface UnsavedProps extends Pick<CellRef, 'cell'> {
  readonly onDiscard: () => void
}

/** Says what holds until the staged change is saved, and drops it. */
function Unsaved({ cell, onDiscard }: UnsavedProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-warn">
      <span className="min-w-0 flex-1">
        Unsaved. Current: {describeFlag({ value: cell.value, rules: cell.rules })}.
      </span>
      <Button variant="quiet" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  )
}

/** Says where the rules come from, unless the environment sets them itself. */
function Source({
  matrix,
  cellRef: { cell },
  isStaged,
}: {
  readonly matrix: Matrix
  readonly cellRef: CellRef
  readonly isStaged: boolean
}) {
  if (isStaged || cell.source === 'set') return null
  const parent = matrix.environments.find(({ id }) => id === cell.inheritedFrom)?.name
  const text =
    cell.source === 'inherited'
      ? `Inherited from ${parent ?? 'its parent'}. A change here gives this environment a value and rules of its own.`
      : 'Not set here. The default applies until you change it.'
  return <p className="text-sm text-muted">{text}</p>
}
