import { limits } from '@signalbox/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '../../../../components/button.tsx'
import { Checkbox } from '../../../../components/field.tsx'
import { useSignals } from '../../../proofs/use-signals.ts'
import { addStep, findNotRising, holdUnits, type HoldUnit, type StepDraft } from './plan-draft.ts'

interface StepFieldsProps {
  readonly steps: readonly StepDraft[]
  readonly onSteps: (steps: readonly StepDraft[]) => void
}

/** Edits the steps of a rollout: their shares, how long each holds, and which of them begin with an approval. */
export function StepFields({ steps, onSteps }: StepFieldsProps) {
  const notRising = findNotRising(steps)
  const errorId = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">Steps</legend>
      {steps.map((step, at) => (
        <StepRow
          key={step.id}
          step={step}
          number={at + 1}
          errorId={notRising === at ? errorId : undefined}
          onStep={(next) => onSteps(steps.with(at, next))}
          onRemove={steps.length === 1 ? undefined : () => onSteps(steps.toSpliced(at, 1))}
        />
      ))}
      {notRising !== undefined && (
        <p id={errorId} role="alert" className="text-sm text-bad">
          Step {notRising + 1} serves no more than the one before.
        </p>
      )}
      {steps.length < limits.stepsPerPlan && (
        <div>
          <Button icon={Plus} onClick={() => onSteps(addStep(steps))}>
            Add step
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface StepRowProps {
  readonly step: StepDraft
  readonly number: number
  /** Refers to what is wrong with its share. */
  readonly errorId: string | undefined
  readonly onStep: (step: StepDraft) => void
  readonly onRemove: (() => void) | undefined
}

interface StepSignalsProps {
  readonly chosen: readonly string[]
  readonly onChosen: (ids: readonly string[]) => void
}

/** Chooses what watches one step. Where there are no signals, nothing is shown. */
function StepSignals({ chosen, onChosen }: StepSignalsProps) {
  const { signals = [], nameOf } = useSignals()
  if (signals.length === 0) return null
  return (
    <details className="order-last basis-full text-sm">
      <summary>
        {chosen.length === 0
          ? 'Choose signals for this step'
          : `Watched by ${listNames.format(chosen.map(nameOf))}`}
      </summary>
      <div className="mt-1 flex max-h-32 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
        {signals.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            disabled={!chosen.includes(id) && chosen.length === limits.signalsPerProof}
            onChange={({ target }) =>
              onChosen(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
    </details>
  )
}

const listNames = new Intl.ListFormat('en-GB')

function StepRow({ step, number, errorId, onStep, onRemove }: StepRowProps) {
  const { percent, hold, unit, approve } = step
  return (
    <div
      role="group"
      aria-label={`Step ${number}`}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md bg-raised p-2"
    >
      <input
        type="number"
        aria-label="Percentage"
        aria-invalid={errorId !== undefined || undefined}
        aria-describedby={errorId}
        required
        min={0}
        max={100}
        step="0.001"
        className="control w-22"
        value={percent}
        onChange={({ target }) => onStep({ ...step, percent: target.value })}
      />
      <span aria-hidden>% for</span>
      <input
        type="number"
        aria-label="Hold"
        required
        min={0}
        max={43_200 / holdUnits[unit]}
        step="any"
        className="control w-18"
        value={hold}
        onChange={({ target }) => onStep({ ...step, hold: target.value })}
      />
      <select
        aria-label="Unit of the hold"
        className="control w-auto"
        value={unit}
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options below
        onChange={({ target }) => onStep({ ...step, unit: target.value as HoldUnit })}
      >
        {Object.keys(holdUnits).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Checkbox
        label="Needs an approval"
        checked={approve}
        onChange={({ target }) => onStep({ ...step, approve: target.checked })}
      />
      <StepSignals chosen={step.signals} onChosen={(signals) => onStep({ ...step, signals })} />
      {onRemove && (
        <span className="ml-auto">
          <IconButton label={`Remove step ${number}`} icon={Trash2} onClick={onRemove} />
        </span>
      )}
    </div>
  )
}
