import type { ItemOf } from '../api/routes.ts'
import { Button } from '../parts/button.tsx'
import { Age } from '../parts/time.tsx'

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
        {jobs.map((job) => (
          <tr key={job.id}>
            <td className="font-mono text-sm break-all">{job.kind}</td>
            <td className="break-words">{job.lastError}</td>
            <td>
              <Age at={job.failedAt} />
            </td>
            <td className="text-right">
              {onRetry && (
                <Button pending={pending} onClick={() => onRetry(job)}>
                  Run again
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
