import { isAnyId } from '@signalbox/contract'
import type { FailedJobAnswer } from '@signalbox/contract/rest'
import type { DeadJob } from '../jobs/jobs.ts'

/** Describes a failed job as it is stored, without its data. */
export interface DeadJobRow {
  readonly id: string
  readonly orgId: string | null
  readonly queue: string
  readonly subjectId: string | null
  readonly cause: DeadJob['cause']
  readonly reason: string
  readonly attempts: number
  readonly deaths: number
  readonly failedAt: Date
  readonly retriedAt: Date | null
}

/** Reads the organization and the subject of a job out of its data. Both are ids of ours, or not known. */
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
export function presentDeadJob(row: DeadJobRow): FailedJobAnswer {
  const { id, queue: kind, subjectId, attempts, deaths, cause, reason: lastError } = row
  return {
    id,
    kind,
    subjectId,
    attempts,
    deaths,
    cause,
    lastError,
    failedAt: row.failedAt.toISOString(),
    retriedAt: row.retriedAt?.toISOString() ?? null,
  }
}
