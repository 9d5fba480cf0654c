import { useState, type FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import type { AnswerOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { DialogActions } from '../../../components/dialog.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { fieldsOf } from '../../../browser/read-fields.ts'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { InputField } from './workflow-input-field.tsx'
import { readInputs, unavailableReason, type Workflow } from './workflow-inputs.ts'
import type { StartedRun } from './started-run.ts'

type Repository =
  AnswerOf<'GET /organizations/{org_id}/integrations/codehost'>['repositories'][number]

interface WorkflowFormProps {
  readonly workflows: readonly Workflow[]
  readonly repositories: readonly Repository[]
  readonly at?: string | undefined
  readonly deploymentId?: string | undefined
  readonly workflowId?: string | undefined
  readonly onClose: () => void
  readonly onStarted: (started: StartedRun) => void
}

/** Renders the choice of the workflow, the branch or tag, and the declared inputs. */
export function WorkflowForm(props: WorkflowFormProps) {
  const { workflows, repositories, at, deploymentId, workflowId, onClose, onStarted } = props
  const { params } = useOrganization()
  const [chosen, setChosen] = useState(() => firstChoice(workflows, workflowId))
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
    dispatch.mutate(
      {
        params: { ...params, workflow_id: workflow.id },
        body: { ...readBody(workflow, field), ...(deploymentId !== undefined && { deploymentId }) },
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
        help={workflow && `${repository?.fullName ?? ''} ${workflow.path}`}
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
        error={isAboutRef ? problem.message : problem?.errorOf('/ref')}
      />
      {workflow !== undefined && <Inputs workflow={workflow} problem={problem} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          pending={dispatch.isPending}
          disabled={workflow === undefined}
        >
          Run workflow
        </Button>
      </DialogActions>
    </form>
  )
}

function readBody({ repositoryId, inputs }: Workflow, field: (name: string) => string) {
  const values = readInputs(inputs ?? [], field)
  return {
    ref: field('ref').trim(),
    repositoryId,
    ...(Object.keys(values).length > 0 && { inputs: values }),
  }
}

/** Returns the requested workflow, or else the first that can be started. */
function firstChoice(workflows: readonly Workflow[], workflowId: string | undefined): string {
  const requested = workflows.find(({ id }) => id === workflowId)
  return (requested ?? workflows.find(({ dispatchable }) => dispatchable))?.id ?? ''
}

interface WorkflowChoiceProps {
  readonly workflows: readonly Workflow[]
  readonly chosen: string
  readonly help: string | undefined
  readonly onChoose: (workflowId: string) => void
}

function WorkflowChoice({ workflows, chosen, help, onChoose }: WorkflowChoiceProps) {
  return (
    <SelectField
      label="Workflow"
      value={chosen}
      required
      onChange={({ target }) => onChoose(target.value)}
      help={help}
    >
      {chosen === '' && <option value="">None can be started by hand</option>}
      {workflows.map((one) => {
        const reason = unavailableReason(one)
        return (
          <option key={one.id} value={one.id} disabled={reason !== undefined}>
            {reason === undefined ? one.name : `${one.name} (${reason})`}
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

/** Shows a field for each input that the workflow declares. */
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
      error={problem?.errorOf(`/inputs/${input.name}`)}
    />
  ))
}
