import type { ReactNode } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { FailedJobTable, type FailedJob } from './failed-job-table.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'

/** Shows the jobs that failed for good and wait for a person. Renders nothing without any. */
export function FailedJobsPanel() {
  const { can } = useOrganization()
  const jobs = useList('GET /organizations/{org_id}/failed-jobs')
  const retry = useWrite('POST /organizations/{org_id}/failed-jobs/{job_id}/retry')
  const runAgain = ({ id }: FailedJob) => retry.mutate({ params: { job_id: id } })
  return (
    <Loaded query={jobs} skeleton={null} around={(instead) => instead !== null && inPanel(instead)}>
      {(items) =>
        items.length > 0 &&
        inPanel(
          <>
            <FormProblem problem={retry.error} />
            <FailedJobTable
              jobs={items}
              pending={retry.isPending}
              onRetry={can('developer') ? runAgain : undefined}
            />
            <MoreButton list={jobs} />
          </>,
        )
      }
    </Loaded>
  )
}

function inPanel(content: ReactNode) {
  return (
    <Panel title="Permanently failed" flush>
      {content}
    </Panel>
  )
}
