import { describeRule } from '@signalbox/contract'
import { useState } from 'react'
import { useWrite } from '../../../../api/use-api.ts'
import { Dialog } from '../../../../components/dialog.tsx'
import { SelectField } from '../../../../components/field.tsx'
import { FormProblem } from '../../../../components/states.tsx'
import { showToast } from '../../../../components/toasts.tsx'
import type { CellRef } from '../../matrix.ts'
import { ReviewFooter } from '../../review/review-footer.tsx'
import { useReview } from '../../review/use-review.ts'
import { toBody } from '../../use-save.ts'
import { findNotRising, startSteps, toSteps } from './plan-draft.ts'
import { StepFields } from './step-fields.tsx'
import { TemplateFields } from './template-fields.tsx'

interface RolloutDialogProps {
  readonly schemaId: string
  readonly cellRef: CellRef
  readonly onClose: () => void
}

/** Makes a rollout of a flag in steps, whose first one begins immediately, or asks others to approve it. */
export function RolloutDialog({ schemaId, cellRef, onClose }: RolloutDialogProps) {
  const { row, cell, environment } = cellRef
  const create = useWrite('POST /organizations/{org_id}/rollout-plans')
  const [steps, setSteps] = useState(startSteps)
  const [rule, setRule] = useState('')
  const shares = (cell.rules ?? []).filter(
    ({ serve }) => typeof serve === 'object' && 'percent' in serve,
  )
  const { onSubmit, footer } = useReview({
    environments: [environment],
    requires: [{ environment: environment.name, ...environment.protection }],
    problem: create.error,
    isPending: create.isPending,
    canSave:
      steps.length > 0 && findNotRising(steps) === undefined && (shares.length <= 1 || rule !== ''),
    onSave: (confirmation) =>
      create.mutate({
        body: {
          schemaId,
          environmentId: environment.id,
          flag: row.key,
          ...(rule !== '' && { rule }),
          steps: toSteps(steps),
          ...toBody(confirmation),
        },
        onSuccess: (plan) => {
          showToast({
            text: `The rollout of ${plan.flag} begins: ${environment.name} serves ${plan.steps[0]?.percent ?? 0}%.`,
          })
          onClose()
        },
      }),
  })
  return (
    <Dialog
      isForm
      shape="drawer"
      title="Roll out in steps"
      description={`${row.key} in ${environment.name}. The first step begins immediately, each further one after the hold of the one before.`}
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        <FormProblem problem={create.error} />
        <RuleChoice shares={shares} value={cell.value} rule={rule} onRule={setRule} />
        <StepFields steps={steps} onSteps={setSteps} />
        <TemplateFields steps={steps} onSteps={setSteps} />
        <ReviewFooter {...footer} onBack={onClose} action="Start the rollout" />
      </form>
    </Dialog>
  )
}

interface RuleChoiceProps {
  readonly shares: NonNullable<CellRef['cell']['rules']>
  /** Holds what everyone else gets. */
  readonly value: unknown
  /** Holds the id of the rule. Empty: none is chosen. */
  readonly rule: string
  readonly onRule: (rule: string) => void
}

/** Says which rule serves the steps, and asks for it where there are several. */
function RuleChoice({ shares, value, rule, onRule }: RuleChoiceProps) {
  return (
    <>
      {shares.length > 1 && (
        <SelectField
          required
          label="Rule whose share grows"
          value={rule}
          onChange={({ target }) => onRule(target.value)}
        >
          <option value="">Choose a rule</option>
          {shares.map((share) => (
            <option key={share.id} value={share.id}>
              {describeRule(share)}
            </option>
          ))}
        </SelectField>
      )}
      <p className="text-sm wrap-anywhere text-muted">{describeStart(shares, value)}</p>
    </>
  )
}

/** Says which rule serves the steps. */
function describeStart(shares: NonNullable<CellRef['cell']['rules']>, value: unknown): string {
  const [only] = shares
  if (only !== undefined)
    return shares.length > 1
      ? 'The share of one rule grows. The others stay.'
      : `The share of this rule grows: ${describeRule(only)}.`
  const whole = 'A new last rule serves the steps to everyone else.'
  return value === true
    ? `${whole} It is on for them now, so the first step takes it from most.`
    : whole
}
