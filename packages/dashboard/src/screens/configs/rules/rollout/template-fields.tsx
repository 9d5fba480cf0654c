import { useState } from 'react'
import type { ApiProblem } from '../../../../api/problem.ts'
import { useList, useWrite } from '../../../../api/use-api.ts'
import { Button } from '../../../../components/button.tsx'
import { SelectField, TextField } from '../../../../components/field.tsx'
import { showRejection } from '../../../../components/show-rejection.ts'
import { describeStep } from './describe-plan.ts'
import { toDrafts, toSteps, type StepDraft } from './plan-draft.ts'

const templates = 'GET /organizations/{org_id}/release-templates'

interface TemplateFieldsProps {
  readonly steps: readonly StepDraft[]
  readonly onSteps: (steps: readonly StepDraft[]) => void
}

/** Takes the steps from a release template, keeps them as one, and deletes one. */
export function TemplateFields({ steps, onSteps }: TemplateFieldsProps) {
  const { data: known = [] } = useList(templates, { query: { limit: 100 } })
  const [chosenId, setChosenId] = useState('')
  const remove = useWrite('DELETE /organizations/{org_id}/release-templates/{template_id}')
  const chosen = known.find(({ id }) => id === chosenId)
  const choose = (id: string) => {
    const template = known.find((one) => one.id === id)
    setChosenId(id)
    if (template !== undefined) onSteps(toDrafts(template.steps))
  }
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="font-medium">Release templates</summary>
      <div className="mt-3 flex flex-col gap-3">
        {known.length > 0 && (
          <SelectField
            label="Take the steps of"
            help={chosen?.steps.map(describeStep).join(', then ')}
            value={chosen?.id ?? ''}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">No template</option>
            {known.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {chosen !== undefined && (
          <div>
            <Button
              variant="danger"
              pending={remove.isPending}
              onClick={() =>
                remove.mutate({
                  params: { template_id: chosen.id },
                  onError: (problem) => showRejection('delete it', problem),
                })
              }
            >
              Delete template
            </Button>
          </div>
        )}
        <KeepField steps={steps} onKept={setChosenId} />
      </div>
    </details>
  )
}

interface KeepFieldProps {
  readonly steps: readonly StepDraft[]
  /** Called with the id of the template. */
  readonly onKept: (id: string) => void
}

/** Keeps the steps under a name. */
function KeepField({ steps, onKept }: KeepFieldProps) {
  const create = useWrite('POST /organizations/{org_id}/release-templates')
  const [name, setName] = useState('')
  const isNamed = name.trim() !== ''
  return (
    <>
      <TextField
        label="Keep these steps as"
        maxLength={100}
        value={name}
        error={describeProblem(create.error)}
        onChange={({ target }) => setName(target.value)}
      />
      <div>
        <Button
          disabled={!isNamed}
          pending={create.isPending}
          onClick={() =>
            create.mutate({
              body: { name: name.trim(), steps: toSteps(steps) },
              onSuccess: ({ id }) => {
                setName('')
                onKept(id)
              },
            })
          }
        >
          Keep
        </Button>
      </div>
    </>
  )
}

function describeProblem(problem: ApiProblem | null): string | undefined {
  return problem === null ? undefined : (problem.errorOf('/name') ?? problem.message)
}
