import { useState, type FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import { useRead } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../../components/field.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
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
  const [range, setRange] = useState<Range>('all')
  const [isUnselected, setUnselected] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const chosen = new FormData(event.currentTarget).getAll('environmentIds')
    const environmentIds = chosen.filter((id) => typeof id === 'string')
    const isEmpty = range === 'selected' && environmentIds.length === 0
    setUnselected(isEmpty)
    if (isEmpty) return
    const workflow = workflows.data?.items.find(({ id }) => id === field('workflowId'))
    onSave({
      workflowId: field('workflowId'),
      ...(workflow && { repositoryId: workflow.repositoryId }),
      ...(range === 'selected' && { environmentIds }),
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
          <form className="flex flex-col gap-4" onSubmit={submit}>
            <FormProblem problem={problem} />
            <SelectField label="Workflow" name="workflowId">
              {items.map(({ id, name, path, dispatchable }) => (
                <option key={id} value={id} disabled={!dispatchable}>
                  {name} ({path}){dispatchable ? '' : ': cannot be started by hand'}
                </option>
              ))}
            </SelectField>
            <EnvironmentsField
              environments={environments}
              range={range}
              isUnselected={isUnselected}
              onRange={setRange}
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

type Range = 'all' | 'selected'

interface EnvironmentsFieldProps extends Pick<TestWorkflowDialogProps, 'environments'> {
  readonly range: Range
  /** Says whether the form was sent without an environment, although only selected ones were asked for. */
  readonly isUnselected: boolean
  readonly onRange: (range: Range) => void
}

/** Chooses the tested environments. An empty selection is refused, and never means all. */
function EnvironmentsField(props: EnvironmentsFieldProps) {
  const { environments, range, isUnselected, onRange } = props
  return (
    <RadioGroup
      legend="Environments"
      name="environments"
      value={range}
      onChange={onRange}
      options={[
        { value: 'all', label: 'All environments except production' },
        { value: 'selected', label: 'Only selected environments' },
      ]}
    >
      {range === 'selected' && (
        <div className="ml-6 flex flex-wrap gap-x-4 gap-y-1">
          {environments.map(({ id, name }) => (
            <Checkbox key={id} name="environmentIds" value={id} label={name} />
          ))}
        </div>
      )}
      {isUnselected && (
        <p role="alert" className="ml-6 text-sm text-bad">
          Select at least one environment.
        </p>
      )}
    </RadioGroup>
  )
}

/** Renders when a test starts, and when it counts as timed out. */
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
        help="How long a deployment must be the newest one before it is tested."
      />
      <TextField
        label="End after, in minutes"
        name="deadlineMinutes"
        type="number"
        required
        min={1}
        max={1440}
        defaultValue={60}
        help="A run without an end counts as timed out then."
      />
    </>
  )
}
