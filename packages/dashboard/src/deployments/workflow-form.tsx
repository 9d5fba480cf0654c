import { useState, type FormEvent } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import type { AnswerOf } from '../api/routes.ts'
import { useWrite } from '../api/use-api.ts'
import { Button } from '../parts/button.tsx'
import { DialogActions } from '../parts/dialog.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { fieldsOf } from '../parts/read-fields.ts'
import { FormProblem } from '../parts/states.tsx'
import { useOrganization } from '../shell/organization.ts'
import type { Started } from './run-workflow.tsx'
import { InputField } from './workflow-input-field.tsx'
import { readInputs, refusalOf, type Workflow } from './workflow-inputs.ts'

type Repository =
  AnswerOf<'GET /organizations/{org_id}/integrations/codehost'>['repositories'][number]

interface WorkflowFormProps {
  readonly workflows: readonly Workflow[]
  readonly repositories: readonly Repository[]
  readonly at?: string | undefined
  readonly deploymentId?: string | undefined
  readonly workflowId?: string | undefined
  readonly onClose: () => void
  readonly onStarted: (started: Started) => void
}

/** Which workflow, on which branch or tag, with what it declares to be started with. */
export function WorkflowForm(props: WorkflowFormProps) {
  const { workflows, repositories, at, deploymentId, workflowId, onClose, onStarted } = props
  const { params } = useOrganization()
  const [chosen, setChosen] = useState(
    () =>
      workflows.find(({ id }) => id === workflowId)?.id ??
      workflows.find(({ dispatchable }) => dispatchable)?.id ??
      '',
  )
  const dispatch = useWrite(
    'POST /organizations/{org_id}/integrations/codehost/workflows/{workflow_id}/dispatch',
  )
  const workflow = workflows.find(({ id }) => id === chosen)
  const repository = repositories.find(({ id }) => id === workflow?.repositoryId)
  const problem = dispatch.error
  const isAboutRef = problem?.code === 'ref_not_found'

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (workflow === undefined) return
    const field = fieldsOf(event.currentTarget)
    const inputs = readInputs(workflow.inputs ?? [], field)
    dispatch.mutate(
      {
        params: { ...params, workflow_id: workflow.id },
        body: {
          ref: field('ref').trim(),
          repositoryId: workflow.repositoryId,
          ...(Object.keys(inputs).length > 0 && { inputs }),
          ...(deploymentId !== undefined && { deploymentId }),
        },
      },
      { onSuccess: onStarted },
    )
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <FormProblem problem={isAboutRef ? null : problem} />
      <WorkflowChoice
        workflows={workflows}
        chosen={chosen}
        hint={workflow && `${repository?.fullName ?? ''} ${workflow.path}`}
        onChoose={setChosen}
      />
      <TextField
        key={`ref ${chosen}`}
        label="Branch or tag"
        name="ref"
        defaultValue={at ?? repository?.defaultBranch ?? ''}
        required
        autoComplete="off"
        spellCheck={false}
        fault={isAboutRef ? problem.message : problem?.faultOf('/ref')}
      />
      {workflow !== undefined && <Inputs workflow={workflow} problem={problem} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          pending={dispatch.isPending}
          disabled={workflow === undefined}
        >
          Run workflow
        </Button>
      </DialogActions>
    </form>
  )
}

interface WorkflowChoiceProps {
  readonly workflows: readonly Workflow[]
  readonly chosen: string
  readonly hint: string | undefined
  readonly onChoose: (workflowId: string) => void
}

function WorkflowChoice({ workflows, chosen, hint, onChoose }: WorkflowChoiceProps) {
  return (
    <SelectField
      label="Workflow"
      value={chosen}
      required
      onChange={({ target }) => onChoose(target.value)}
      hint={hint}
    >
      {chosen === '' && <option value="">None can be started by hand</option>}
      {workflows.map((one) => {
        const refusal = refusalOf(one)
        return (
          <option key={one.id} value={one.id} disabled={refusal !== undefined}>
            {refusal === undefined ? one.name : `${one.name} (${refusal})`}
          </option>
        )
      })}
    </SelectField>
  )
}

interface InputsProps {
  readonly workflow: Workflow
  readonly problem: ApiProblem | null
}

/** What the workflow declares to be started with. */
function Inputs({ workflow: { id, inputs }, problem }: InputsProps) {
  if (inputs === null) {
    return (
      <p className="text-sm text-muted">
        The workflow&apos;s file could not be read, so what it is started with is not known here: it
        starts with its defaults.
      </p>
    )
  }
  return inputs.map((input) => (
    <InputField
      key={`${id} ${input.name}`}
      input={input}
      fault={problem?.faultOf(`/inputs/${input.name}`)}
    />
  ))
}
