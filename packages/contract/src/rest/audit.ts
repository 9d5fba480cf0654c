import { z } from 'zod/v4'
import { admin, org } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import { author, credential, givenTime, id, page, pageQuery, time } from './shapes.ts'

export const auditEvent = z
  .object({
    id: id('evt'),
    sequence: z.number().int(),
    at: time,
    actor: author,
    /** Says what the actor was signed in with. `null`: an API key, or the service itself. */
    with: credential.nullable(),
    action: z.string(),
    target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
    /** Holds names of fields and version numbers, never values. */
    detail: z.record(z.string(), z.unknown()),
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent' })

/** Describes the state of an organization's chain of audit events. */
export const auditChain = z
  .object({
    state: z.enum(['intact', 'broken']),
    /** Counts the events whose hashes match, from the first one on. */
    verified: z.number().int(),
    /** Holds the SHA-256 of the newest event in hexadecimal. A copy kept elsewhere proves that the past was not rewritten. */
    headHash: z.string().nullable(),
    fault: z
      .object({
        sequence: z.number().int(),
        eventId: z.string().nullable(),
        reason: z.enum(['missing', 'changed', 'not_linked', 'end_differs']),
      })
      .nullable(),
    checkedAt: time,
  })
  .meta({ id: 'AuditChain' })

const auditTag = { tag: 'Audit' } as const
const events = `${org}/audit-events` as const

const filters = {
  action: z.string().max(100).optional(),
  actor: z.string().max(100).optional(),
  from: givenTime.optional(),
  to: givenTime.optional(),
  /** Finds events by the beginnings of words: of the author, the action, the target and the names in the details. */
  query: z.string().max(100).optional(),
}

/** Declares the endpoints of the audit log. */
export const auditEndpoints = declareEndpoints({ ...auditTag, topics: ['audit_event'] })({
  listAuditEvents: {
    method: 'GET',
    path: events,
    summary: 'The audit log, newest first.',
    access: admin,
    query: z.strictObject({
      ...pageQuery,
      ...filters,
    }),
    response: { status: 200, body: page(auditEvent) },
    problems: ['invalid_cursor'],
  },
  verifyAuditChain: {
    method: 'GET',
    path: `${events}/chain`,
    summary: 'Verify the hash chain of the audit log.',
    access: admin,
    response: { status: 200, body: auditChain },
  },
  exportAuditEvents: {
    method: 'GET',
    path: `${events}/export`,
    summary: 'Export all audit events, oldest first, as lines of JSON or as CSV.',
    description:
      'At most five exports a minute per person. If the reader loses the right to read, or reads nothing for a minute, the server cuts the connection, so that a part doesn’t look like the whole.',
    access: admin,
    rateClass: 'export',
    query: z.strictObject({
      format: z.enum(['jsonl', 'csv']).default('jsonl'),
      /** Begins after the event with this `sequence`, so that an export continues where one before ended. */
      afterSequence: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      ...filters,
    }),
    response: {
      status: 200,
      contentType: 'application/jsonl',
      also: { status: 200, contentType: 'text/csv', when: 'With `format=csv`.' },
    },
    // A file: a saved one does not change.
    topics: [],
  },
})
