import type { ItemOf } from '../../api/routes.ts'
import { Button } from '../../components/button.tsx'
import { Age } from '../../components/time.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'

/** Describes a job that failed for good. */
export type FailedJob = ItemOf<'GET /organizations/{org_id}/failed-jobs'>

interface FailedJobTableProps {
  readonly jobs: readonly FailedJob[]
  /** Says whether a retry is running. */
  readonly pending: boolean
  /** Puts a job back into its queue. Absent without the permission. */
  readonly onRetry?: ((job: FailedJob) => void) | undefined
}

/** Shows the jobs that failed for good: kind, error, time, and the button that retries. */
export function FailedJobTable({ jobs, pending, onRetry }: FailedJobTableProps) {
  return (
    <Table columns={['What', 'Why', 'When', rowActions]}>
      {jobs.map((job) => (
        <Row key={job.id}>
          <Cell className="font-mono text-sm">
            <div className="min-w-28 wrap-anywhere">{job.kind}</div>
          </Cell>
          <Cell>
            <div className="min-w-32 wrap-anywhere">{job.lastError}</div>
          </Cell>
          <Cell>
            <Age at={job.failedAt} />
          </Cell>
          <Cell className="text-right whitespace-nowrap">
            {onRetry && (
              <Button pending={pending} onClick={() => onRetry(job)}>
                Run again
              </Button>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
