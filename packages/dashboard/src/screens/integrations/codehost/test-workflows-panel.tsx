import { useState } from 'react'
import { useList, useRead, useWrite } from '../../../api/use-api.ts'
import { findWorkflow } from '../../../deployments/workflow-inputs.ts'
import { Button } from '../../../parts/button.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { FormProblem } from '../../../parts/states.tsx'
import { useOrganization } from '../../../shell/organization.ts'
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
  const [isAdding, setAdding] = useState(false)
  const { testWorkflows, repositories } = status
  const save = (next: readonly TestWorkflow[], onSuccess?: () => void) =>
    update.mutate(
      { params, body: { testWorkflows: [...next] } },
      { ...(onSuccess && { onSuccess }) },
    )
  const namesOf = (ids: readonly string[] | undefined) =>
    ids === undefined
      ? 'all that are not production'
      : ids.map((id) => environments.find((one) => one.id === id)?.name ?? id).join(', ')
  return (
    <Panel
      title="Tests after a deployment"
      flush
      actions={can('admin') && <Button onClick={() => setAdding(true)}>Add a workflow</Button>}
    >
      {!isAdding && <FormProblem problem={update.error} />}
      {testWorkflows.length === 0 ? (
        <p className="p-4 text-muted">
          None. With one, each deployment is tested once it succeeded, and the results stand in its
          message.
        </p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Workflow</th>
              <th scope="col">Environments</th>
              <th scope="col">Waits</th>
              <th scope="col">Ends after</th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {testWorkflows.map((one, at) => (
              <tr key={`${one.repositoryId ?? ''} ${one.workflowId} ${at}`}>
                <td>
                  <div className="font-medium break-words">
                    <bdi>
                      {findWorkflow(workflows.data?.items ?? [], one.workflowId)?.name ??
                        one.workflowId}
                    </bdi>
                  </div>
                  <div className="text-sm break-all text-muted">
                    {repositories.find(({ id }) => id === one.repositoryId)?.fullName ??
                      'the repository that was deployed'}
                  </div>
                </td>
                <td>{namesOf(one.environmentIds)}</td>
                <td>{one.debounceSeconds} s</td>
                <td>{one.deadlineMinutes} min</td>
                <td className="text-right">
                  {can('admin') && (
                    <Button look="quiet" onClick={() => save(testWorkflows.toSpliced(at, 1))}>
                      Remove
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isAdding && (
        <TestWorkflowDialog
          environments={environments}
          pending={update.isPending}
          problem={update.error}
          onClose={() => {
            update.reset()
            setAdding(false)
          }}
          onSave={(one) => save([...testWorkflows, one], () => setAdding(false))}
        />
      )}
    </Panel>
  )
}
