import { useList, useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'

/** Work that failed for good and waits for a person. Without any there is nothing to show. */
export function DeadJobsPanel() {
  const { params, can } = useOrganization()
  const jobs = useList('GET /organizations/{org_id}/dead-jobs', { params })
  const retry = useWrite('POST /organizations/{org_id}/dead-jobs/{job_id}/retry')
  return (
    <Loaded query={jobs} skeleton={null}>
      {(items) =>
        items.length > 0 && (
          <Panel title="Failed for good" flush>
            <FormProblem problem={retry.error} />
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">What</th>
                  <th scope="col">Why</th>
                  <th scope="col">When</th>
                  <th scope="col">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((job) => (
                  <tr key={job.id}>
                    <td className="font-mono text-sm break-all">{job.kind}</td>
                    <td className="break-words">{job.lastError}</td>
                    <td>
                      <Age at={job.failedAt} />
                    </td>
                    <td className="text-right">
                      {can('developer') && (
                        <Button
                          pending={retry.isPending}
                          onClick={() => retry.mutate({ params: { ...params, job_id: job.id } })}
                        >
                          Run again
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <MoreButton list={jobs} />
          </Panel>
        )
      }
    </Loaded>
  )
}
