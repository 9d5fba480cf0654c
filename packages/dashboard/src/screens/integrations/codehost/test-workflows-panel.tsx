import { useList, useRead, useWrite } from '../../../api/use-api.ts'
import { findWorkflow } from '../../../deployments/workflow-inputs.ts'
import { Button } from '../../../parts/button.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { FormProblem } from '../../../parts/states.tsx'
import { Cell, Row, Table } from '../../../parts/table.tsx'
import { useOrganization } from '../../../shell/organization.ts'
import { usePanel } from '../use-panel.ts'
import type { Codehost } from './codehost-settings.tsx'
import { TestWorkflowDialog, type TestWorkflow } from './test-workflow-dialog.tsx'

/** Which workflow tests a deployment once it succeeded. */
export function TestWorkflowsPanel({ status }: { readonly status: Codehost }) {
  const { params, can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const workflows = useRead('GET /organizations/{org_id}/integrations/codehost/workflows', {
    params,
  })
  const update = useWrite('PATCH /organizations/{org_id}/integrations/codehost')
  const { panel, open, close } = usePanel()
  const isAdding = panel === 'tests' && can('admin')
  const { testWorkflows, repositories } = status
  const save = (next: readonly TestWorkflow[], onSuccess?: () => void) =>
    update.mutate(
      { params, body: { testWorkflows: [...next] } },
      { ...(onSuccess && { onSuccess }) },
    )
  const namesOf = (ids: readonly string[] | undefined) =>
    ids === undefined
      ? 'all except production'
      : ids.map((id) => environments.find((one) => one.id === id)?.name ?? id).join(', ')
  return (
    <Panel
      title="Tests after a deployment"
      flush
      actions={
        can('admin') && <Button onClick={() => open({ panel: 'tests' })}>Add a workflow</Button>
      }
    >
      {!isAdding && <FormProblem problem={update.error} />}
      {testWorkflows.length === 0 ? (
        <p className="p-4 text-muted">
          None yet. With one, each successful deployment is tested, and the results appear in its
          message.
        </p>
      ) : (
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
                    {findWorkflow(workflows.data?.items ?? [], one.workflowId)?.name ??
                      one.workflowId}
                  </bdi>
                </div>
                <div className="text-sm wrap-anywhere text-muted">
                  {repositories.find(({ id }) => id === one.repositoryId)?.fullName ??
                    'the repository that was deployed'}
                </div>
              </Cell>
              <Cell className="wrap-anywhere">{namesOf(one.environmentIds)}</Cell>
              <Cell>{one.debounceSeconds} s</Cell>
              <Cell>{one.deadlineMinutes} min</Cell>
              <Cell className="text-right">
                {can('admin') && (
                  <Button look="quiet" onClick={() => save(testWorkflows.toSpliced(at, 1))}>
                    Remove
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
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
