import { useMemo, useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { secretInput, SelectField, TextArea } from '../../../components/field.tsx'
import type { Matrix } from '../matrix.ts'
import { ValueDiff } from '../review/value-diff.tsx'
import type { GridModel } from '../grid/grid-model.ts'
import { countChanges } from '../staged.ts'
import { planPaste, type PastedLine, type PastePlan } from './plan-paste.ts'

interface PasteDialogProps {
  readonly matrix: Matrix
  readonly start: { readonly text: string; readonly environmentId: string | undefined } | undefined
  readonly model: GridModel
  readonly onClose: () => void
}

const tones: Readonly<Record<PastedLine['outcome'], Tone>> = {
  new: 'ok',
  replaces: 'neutral',
  same: 'neutral',
  unknown: 'warn',
  invalid: 'bad',
}

const detailTones: Readonly<Record<PastedLine['outcome'], string>> = {
  new: 'text-warn',
  replaces: 'text-warn',
  same: 'text-muted',
  unknown: 'text-warn',
  invalid: 'text-bad',
}

/** Imports the lines of an env file into one environment, after showing the effect of each. */
export function PasteDialog({ matrix, start, model, onClose }: PasteDialogProps) {
  const environments = matrix.environments.filter(({ id }) => model.may('writeValues', id))
  const [text, setText] = useState(start?.text ?? '')
  const [environmentId, setEnvironmentId] = useState(start?.environmentId ?? environments[0]?.id)
  const environment = environments.find(({ id }) => id === environmentId)
  const plan = useMemo(
    () => (environment && text !== '' ? planPaste(matrix, environment, text) : undefined),
    [matrix, environment, text],
  )
  const staged = plan?.lines.flatMap(({ change }) => change ?? []) ?? []
  const putStaged = () => {
    model.staged.put(staged)
    onClose()
  }
  return (
    <Dialog
      shape="drawer"
      isForm
      title="Paste a .env file"
      description="This browser reads it the way dotenv does, and stages the lines that change something. Nothing is live until you save."
      onClose={onClose}
    >
      <EnvironmentField
        environments={environments}
        value={environmentId}
        onPick={setEnvironmentId}
      />
      <TextArea
        label="Lines of NAME=value"
        placeholder={'API_URL=https://api.example.com\nREQUEST_TIMEOUT_MS=250'}
        isCode
        rows={6}
        value={text}
        {...secretInput}
        onChange={({ target }) => setText(target.value)}
      />
      {plan && <PlanTable lines={plan.lines} />}
      {plan && <Remarks plan={plan} environment={environment?.name ?? ''} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={staged.length === 0} onClick={putStaged}>
          {toLabel(staged.length)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const toLabel = (count: number): string => `Stage ${count === 0 ? 'changes' : countChanges(count)}`

interface EnvironmentFieldProps {
  readonly environments: Matrix['environments']
  readonly value: string | undefined
  readonly onPick: (id: string) => void
}

function EnvironmentField({ environments, value, onPick }: EnvironmentFieldProps) {
  return (
    <SelectField label="Environment" value={value} onChange={({ target }) => onPick(target.value)}>
      {environments.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

interface RemarksProps {
  readonly plan: PastePlan
  readonly environment: string
}

/** Renders remarks about the text as a whole. */
function Remarks({ plan: { lines, unread }, environment }: RemarksProps) {
  const changesNothing = lines.length > 0 && lines.every(({ change }) => change === undefined)
  return (
    <>
      {unread.length > 0 && (
        <p className="text-sm text-warn">
          No assignment: line {unread.slice(0, 10).join(', ')}
          {unread.length > 10 && ` and ${unread.length - 10} more`}
        </p>
      )}
      {changesNothing && (
        <p role="status" className="text-muted">
          No line changes anything in {environment}.
        </p>
      )}
    </>
  )
}

function PlanTable({ lines }: { readonly lines: readonly PastedLine[] }) {
  if (lines.length === 0) return <p className="text-sm text-muted">No line is an assignment.</p>
  return (
    <ul
      aria-label="Result of each line"
      className="divide-y divide-line rounded-lg border border-line"
    >
      {lines.map(({ assignment, cellRef, outcome, detail, change }) => (
        <li key={assignment.name} className="flex flex-col gap-1 px-3 py-2">
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 font-mono break-all" title={assignment.name}>
              {cellRef?.row.key ?? assignment.name}
            </span>
            <Badge tone={tones[outcome]}>{outcome}</Badge>
          </div>
          {change?.edit.kind === 'set' && cellRef && !change.secret && (
            <ValueDiff before={cellRef.cell.value} after={change.edit.value} />
          )}
          {change?.secret === true && <p className="text-sm text-muted">A secret: not shown.</p>}
          {detail !== undefined && <p className={`text-sm ${detailTones[outcome]}`}>{detail}</p>}
        </li>
      ))}
    </ul>
  )
}
