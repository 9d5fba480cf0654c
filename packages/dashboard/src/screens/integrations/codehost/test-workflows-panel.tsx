import { useList, useRead, useWrite } from '../../../api/use-api.ts'
import { findWorkflow } from '../../deployments/workflows/workflow-inputs.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { useOrganization } from '../../../session/organization.ts'
import { usePanel } from '../use-panel.ts'
import { TestWorkflowDialog } from './test-workflow-dialog.tsx'
import type { Codehost, TestWorkflow } from './codehost.ts'

/** Shows the workflows that test a deployment once it has succeeded. */
export function TestWorkflowsPanel({ status }: { readonly status: Codehost }) {
  const { params, can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const { panel, open, close } = usePanel()
  const lack = useLack('codehost', 'startWorkflows')
  const isAdding = panel === 'tests' && can('admin') && lack === undefined
  const { testWorkflows } = status
  const save = (next: readonly TestWorkflow[], onSuccess?: () => void) =>
    update.mutate(
      { params, body: { testWorkflows: [...next] } },
      { ...(onSuccess && { onSuccess }) },
    )
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
  const { params } = useOrganization()
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows', {
    params,
  })
  const namesOf = (ids: readonly string[] | undefined) =>
    ids === undefined
      ? 'all except production'
      : ids.map((id) => environments.find((one) => one.id === id)?.name ?? id).join(', ')
  return (
    <Table
      columns={[
        'Workflow',
        'Environments',
        'Waits',
        'Ends after',
        { title: 'Actions', kind: 'actions' },
      ]}
    >
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
