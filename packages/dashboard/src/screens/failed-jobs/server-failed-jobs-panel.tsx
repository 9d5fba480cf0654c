import { useList, useWrite } from '../../api/use-api.ts'
import { FailedJobTable } from './failed-job-table.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'

/** Shows the operator the failed jobs of the server itself. Renders nothing without any. */
export function ServerFailedJobsPanel() {
  const jobs = useList('GET /server/failed-jobs')
  const retry = useWrite('POST /server/failed-jobs/{job_id}/retry')
  const items = jobs.data ?? []
  if (items.length === 0) return null
  return (
    <Panel title="Permanently failed server jobs" flush>
      <FormProblem problem={retry.error} />
      <FailedJobTable
        jobs={items}
        pending={retry.isPending}
        onRetry={({ id, kind }) =>
          retry.mutate({
            params: { job_id: id },
            onSuccess: () => showToast({ text: `${kind} runs again.` }),
          })
        }
      />
      <MoreButton list={jobs} />
    </Panel>
  )
}
