import { isAnyId } from '@signalbox/contract'
import type { DeadJobAnswer } from '@signalbox/contract/rest'
import type { DeadJob } from '../jobs/jobs.ts'

/** A dead job as it is stored, without what it held. */
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

/** Whose a job is and what it is about, by what its data says. Both are ids of ours, or not known. */
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

/** What people see. */
export function presentDeadJob(row: DeadJobRow): DeadJobAnswer {
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
