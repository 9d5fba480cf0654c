import type { ItemOf } from '../../api/routes.ts'
import { Button } from '../../components/button.tsx'
import { Age } from '../../components/time.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'

/** Describes a job that failed for good. */
export type FailedJob = ItemOf<'GET /organizations/{org_id}/failed-jobs'>

interface FailedJobTableProps {
  readonly jobs: readonly FailedJob[]
  /** Says whether one is being put back. */
  readonly pending: boolean
  /** Puts one back into its queue; left out for whoever may not. */
  readonly onRetry?: ((job: FailedJob) => void) | undefined
}

/** Shows work that failed for good: what, why, when, and the way to have it done once more. */
export function FailedJobTable({ jobs, pending, onRetry }: FailedJobTableProps) {
  return (
    <Table columns={['What', 'Why', 'When', { title: 'Actions', kind: 'actions' }]}>
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
