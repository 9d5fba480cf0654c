import { useList, useWrite } from '../../api/use-api.ts'
import { DeadJobTable } from '../../dead-jobs/dead-job-table.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'

/** Work of the server itself that failed for good, for whoever runs it. Without any there is nothing to show. */
export function ServerDeadJobsPanel() {
  const jobs = useList('GET /server/dead-jobs')
  const retry = useWrite('POST /server/dead-jobs/{job_id}/retry')
  const items = jobs.data ?? []
  if (items.length === 0) return null
  return (
    <Panel title="Server jobs that failed for good" flush>
      <FormProblem problem={retry.error} />
      <DeadJobTable
        jobs={items}
        pending={retry.isPending}
        onRetry={({ id, kind }) =>
          retry.mutate(
            { params: { job_id: id } },
            { onSuccess: () => showToast({ text: `${kind} runs again.` }) },
          )
        }
      />
      <MoreButton list={jobs} />
    </Panel>
  )
}
