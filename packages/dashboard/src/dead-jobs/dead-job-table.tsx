import type { ItemOf } from '../api/routes.ts'
import { Button } from '../parts/button.tsx'
import { Age } from '../parts/time.tsx'
import { Cell, Row, Table } from '../parts/table.tsx'

export type DeadJob = ItemOf<'GET /organizations/{org_id}/dead-jobs'>

interface DeadJobTableProps {
  readonly jobs: readonly DeadJob[]
  /** Whether one is being put back. */
  readonly pending: boolean
  /** Puts one back into its queue; left out for whoever may not. */
  readonly onRetry?: ((job: DeadJob) => void) | undefined
}

/** Work that failed for good: what, why, when, and the way to have it done once more. */
export function DeadJobTable({ jobs, pending, onRetry }: DeadJobTableProps) {
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
