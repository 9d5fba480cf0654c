import { useState, type FormEvent } from 'react'
import { useList, useRead, useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem, Loaded } from '../../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../../components/table.tsx'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { useOrganization } from '../../../session/organization.ts'
import type { ApiProblem } from '../../../api/problem.ts'
import type { ItemOf } from '../../../api/routes.ts'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { AllOrSelected } from '../../../components/all-or-selected.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { fieldsOf } from '../../../browser/read-fields.ts'
import {
  findWorkflow,
  keyOfWorkflow,
  nameWorkflow,
} from '../../deployments/workflows/workflow-inputs.ts'
import { usePanel } from '../use-panel.ts'
import type { Codehost, TestWorkflow } from './codehost.ts'

/** Shows the workflows that test a deployment once it has succeeded. */
export function TestWorkflowsPanel({ status }: { readonly status: Codehost }) {
  const { can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments')
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const { panel, open, close } = usePanel()
  const lack = useLack('codehost', 'startWorkflows')
  const isAdding = panel === 'tests' && can('admin') && lack === undefined
  const { testWorkflows } = status
  const save = (next: readonly TestWorkflow[], onSuccess?: () => void) =>
    update.mutate({ body: { testWorkflows: [...next] }, ...(onSuccess && { onSuccess }) })
  return (
    <Panel
      title="Tests after a deployment"
      flush
      actions={
        can('admin') &&
        lack === undefined && (
          <Button onClick={() => open({ panel: 'tests' })}>Add a workflow</Button>
        )
      }
    >
      {!isAdding && <FormProblem problem={update.error} />}
      {lack !== undefined && <p className="p-4 text-muted">{explainLack(lack)}</p>}
      {testWorkflows.length === 0 ? (
        lack === undefined && (
          <p className="p-4 text-muted">
            None yet. Add one to test each successful deployment. The results appear in its message.
          </p>
        )
      ) : (
        <TestWorkflowTable
          status={status}
          environments={environments}
          {...(can('admin') && { onChange: (next) => save(next) })}
        />
      )}
      {isAdding && (
        <TestWorkflowDialog
          environments={environments}
          pending={update.isPending}
          problem={update.error}
          onClose={() => {
            update.reset()
            close()
          }}
          onSave={(one) => save([...testWorkflows, one], close)}
        />
      )}
    </Panel>
  )
}

interface TestWorkflowTableProps {
  readonly status: Codehost
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  /** Saves the workflows. Absent without the permission. */
  readonly onChange?: (next: readonly TestWorkflow[]) => void
}

function TestWorkflowTable({ status, environments, onChange }: TestWorkflowTableProps) {
  const { testWorkflows, repositories } = status
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows')
  const namesOf = (ids: readonly string[] | undefined) =>
    ids === undefined
      ? 'all except production'
      : ids.map((id) => environments.find((one) => one.id === id)?.name ?? id).join(', ')
  return (
    <Table columns={['Workflow', 'Environments', 'Waits', 'Ends after', rowActions]}>
      {testWorkflows.map((one, at) => (
        <Row key={`${one.repositoryId ?? ''} ${one.workflowId} ${at}`}>
          <Cell>
            <div className="font-medium wrap-anywhere">
              <bdi>
                {findWorkflow(workflows.data?.items ?? [], one.workflowId)?.name ?? one.workflowId}
              </bdi>
            </div>
            <div className="text-sm wrap-anywhere text-muted">
              {repositories.find(({ id }) => id === one.repositoryId)?.fullName ??
                'the deployed repository'}
            </div>
          </Cell>
          <Cell className="wrap-anywhere">{namesOf(one.environmentIds)}</Cell>
          <Cell>{one.debounceSeconds} s</Cell>
          <Cell>{one.deadlineMinutes} min</Cell>
          <Cell className="text-right">
            {onChange && (
              <Button variant="quiet" onClick={() => onChange(testWorkflows.toSpliced(at, 1))}>
                Remove
              </Button>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

interface TestWorkflowDialogProps {
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  readonly pending: boolean
  readonly problem: ApiProblem | null
  readonly onSave: (workflow: TestWorkflow) => void
  readonly onClose: () => void
}

/** Adds a workflow that tests deployments. */
function TestWorkflowDialog({
  environments,
  pending,
  problem,
  onSave,
  onClose,
}: TestWorkflowDialogProps) {
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows')
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost')
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
