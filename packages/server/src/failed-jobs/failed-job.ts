import { isAnyId } from '@signalbox/contract'
import type { FailedJobAnswer } from '@signalbox/contract/rest'
import type { FailedJob } from '../jobs/jobs.ts'

/** Describes a failed job as it is stored, without its data. */
export interface FailedJobRow {
  readonly id: string
  readonly orgId: string | null
  readonly queue: string
  readonly subjectId: string | null
  readonly cause: FailedJob['cause']
  readonly reason: string
  readonly attempts: number
  /** Counts how often equal work of the queue failed for good, this time included. */
  readonly failures: number
  readonly failedAt: Date
  readonly retriedAt: Date | null
}

/** Reads the organization and the subject of a job out of its data: ids such as `org_…` and `dep_…`. `null`: it has none. */
export function readSubject(data: unknown): {
  readonly orgId: string | null
  readonly subjectId: string | null
} {
  const { orgId, id } = Object(data)
  return { orgId: toId(orgId), subjectId: toId(id) }
}

function toId(value: unknown): string | null {
  return typeof value === 'string' && isAnyId(value) ? value : null
}

/** Presents a failed job as the API shows it. */
export function presentFailedJob(row: FailedJobRow): FailedJobAnswer {
  const { id, queue: kind, subjectId, attempts, failures, cause, reason: lastError } = row
  return {
    id,
    kind,
    subjectId,
    attempts,
    failures,
    cause,
    lastError,
    failedAt: row.failedAt.toISOString(),
    retriedAt: row.retriedAt?.toISOString() ?? null,
  }
}
