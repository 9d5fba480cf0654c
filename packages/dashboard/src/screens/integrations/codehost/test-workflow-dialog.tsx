import type { FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import { useRead } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../../components/field.tsx'
import { fieldsOf } from '../../../browser/read-fields.ts'
import { FormProblem, Loaded } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { TestWorkflow } from './codehost.ts'

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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const chosen = new FormData(event.currentTarget).getAll('environmentIds')
    const environmentIds = chosen.filter((id) => typeof id === 'string')
    const workflow = workflows.data?.items.find(({ id }) => id === field('workflowId'))
    onSave({
      workflowId: field('workflowId'),
      ...(workflow && { repositoryId: workflow.repositoryId }),
      ...(environmentIds.length > 0 && { environmentIds }),
      debounceSeconds: Number(field('debounceSeconds')),
      deadlineMinutes: Number(field('deadlineMinutes')),
    })
  }
  return (
    <Dialog
      title="Test deployments with a workflow"
      description="It is started once a deployment succeeded, with its commit, environment and address as inputs."
      onClose={onClose}
    >
      <Loaded query={workflows}>
        {({ items }) => (
          <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
            <FormProblem problem={problem} />
            <SelectField label="Workflow" name="workflowId">
              {items.map(({ id, name, path, dispatchable }) => (
                <option key={id} value={id} disabled={!dispatchable}>
                  {name} ({path}){dispatchable ? '' : ': cannot be started by hand'}
                </option>
              ))}
            </SelectField>
            <Choices environments={environments} />
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

/** Renders the choice of the tested environments, and of the start and end of a test. */
function Choices({ environments }: Pick<TestWorkflowDialogProps, 'environments'>) {
  return (
    <>
      <fieldset>
        <legend className="mb-1 font-medium">Environments</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {environments.map(({ id, name }) => (
            <Checkbox key={id} name="environmentIds" value={id} label={name} />
          ))}
        </div>
        <p className="mt-1 text-sm text-muted">None selected: all except production.</p>
      </fieldset>
      <TextField
        label="Wait, in seconds"
        name="debounceSeconds"
        type="number"
        min={0}
        max={3600}
        defaultValue={10}
        help="How long a deployment must be the newest one before it is tested."
      />
      <TextField
        label="End after, in minutes"
        name="deadlineMinutes"
        type="number"
        min={1}
        max={1440}
        defaultValue={60}
        help="A run without an end counts as timed out then."
      />
    </>
  )
}
