import { useState, type FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import type { ItemOf } from '../../../api/routes.ts'
import { useRead } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { AllOrSelected } from '../../../components/all-or-selected.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { fieldsOf } from '../../../browser/read-fields.ts'
import { FormProblem, Loaded } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import {
  findWorkflow,
  keyOfWorkflow,
  nameWorkflow,
} from '../../deployments/workflows/workflow-inputs.ts'
import type { Codehost, TestWorkflow } from './codehost.ts'

interface TestWorkflowDialogProps {
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  readonly pending: boolean
  readonly problem: ApiProblem | null
  readonly onSave: (workflow: TestWorkflow) => void
  readonly onClose: () => void
}

/** Adds a workflow that tests deployments. */
export function TestWorkflowDialog({
  environments,
  pending,
  problem,
  onSave,
  onClose,
}: TestWorkflowDialogProps) {
  const { params } = useOrganization()
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows', {
    params,
  })
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost', { params })
  const [environmentIds, setEnvironmentIds] = useState<readonly string[] | null>(null)
  const [isSent, setSent] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSent(true)
    if (environmentIds?.length === 0) return
    const chosen = environmentIds === null ? {} : { environmentIds: [...environmentIds] }
    onSave({ ...readWorkflow(event.currentTarget, workflows.data?.items ?? []), ...chosen })
  }
  return (
    <Dialog
      title="Test deployments with a workflow"
      description="Signalbox starts it after each successful deployment, with the commit, environment and URL as inputs."
      onClose={onClose}
    >
      <Loaded query={workflows}>
        {({ items }) => (
          <form className="flex flex-col gap-4" onSubmit={submit}>
            <FormProblem problem={problem} />
            <WorkflowField workflows={items} repositories={codehost.data?.repositories ?? []} />
            <AllOrSelected
              legend="Environments"
              name="environmentIds"
              noun="environment"
              allLabel="All environments except production"
              options={environments}
              chosen={environmentIds}
              onChange={setEnvironmentIds}
              isUnselected={isSent}
            />
            <TimeFields />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" pending={pending}>
                Save
              </Button>
            </DialogActions>
          </form>
        )}
      </Loaded>
    </Dialog>
  )
}

type Workflow = ItemOf<'GET /organizations/{org_id}/integrations/codehost/workflows'>

function readWorkflow(form: HTMLFormElement, workflows: readonly Workflow[]): TestWorkflow {
  const field = fieldsOf(form)
  const workflow = findWorkflow(workflows, field('workflowId'))
  return {
    workflowId: workflow?.id ?? '',
    ...(workflow && { repositoryId: workflow.repositoryId }),
    debounceSeconds: Number(field('debounceSeconds')),
    deadlineMinutes: Number(field('deadlineMinutes')),
  }
}

interface WorkflowFieldProps {
  readonly workflows: readonly Workflow[]
  readonly repositories: Codehost['repositories']
}

function WorkflowField({ workflows, repositories }: WorkflowFieldProps) {
  return (
    <SelectField label="Workflow" name="workflowId">
      {workflows.map((workflow) => {
        const { path, dispatchable } = workflow
        const key = keyOfWorkflow(workflow)
        return (
          <option key={key} value={key} disabled={!dispatchable}>
            {nameWorkflow(workflow, { workflows, repositories })} ({path})
            {dispatchable ? '' : ': no manual trigger'}
          </option>
        )
      })}
    </SelectField>
  )
}

/** Renders the start and the end of a test. */
function TimeFields() {
  return (
    <>
      <TextField
        label="Wait, in seconds"
        name="debounceSeconds"
        type="number"
        required
        min={0}
        max={3600}
        defaultValue={10}
        help="Signalbox tests a deployment after it has been the newest one for this long."
      />
      <TextField
        label="Time limit, in minutes"
        name="deadlineMinutes"
        type="number"
        required
        min={1}
        max={1440}
        defaultValue={60}
        help="A longer run counts as timed out."
      />
    </>
  )
}
