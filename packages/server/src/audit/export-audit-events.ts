import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { AuditRequest, Author } from './audit-event.ts'
import { presentEvent } from './present-event.ts'
import { recordAuditEvent } from './record-event.ts'
import { listEventsAfter, type AuditFilter, type LinkedEventRow } from './rows.ts'

/** Holds the media type of each form. */
export const exportTypes = { jsonl: 'application/jsonl', csv: 'text/csv' } as const

export type ExportFormat = keyof typeof exportTypes

export interface ExportAuditEvents {
  readonly orgId: string
  readonly scope: Scope
  readonly filter: AuditFilter
  readonly format: ExportFormat
  /** Leaves out the events up to this one. */
  readonly afterSequence?: number | undefined
  /** Names the person or key that exports. */
  readonly author: Author
  readonly request: AuditRequest
  /** Returns whether the author may still export. Asked before each further batch: an export can take longer than a session or a membership. */
  readonly mayGoOn: () => Promise<boolean>
  /** Limits the time in which they take nothing before the connection is cut. Default 60,000. */
  readonly patienceMs?: number
}

const batchSize = 500

/**
 * Writes the audit events of an organization, oldest first, as fast as they are read, after an event about the export. Neither memory
 * nor a transaction grows with their number. Whatever ends it before the last one cuts the connection, so that nobody takes a
 * part for the whole: what goes wrong, a reader that takes nothing, and one that may not read any more.
 */
export async function exportAuditEvents(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  options: ExportAuditEvents,
  begin: () => Writable,
): Promise<void> {
  const { orgId, scope, filter, format, author, request, mayGoOn, patienceMs = 60_000 } = options
  const { afterSequence = 0 } = options
  await store.transaction(scope, async (tx) =>
    recordAuditEvent(tx, {
      orgId,
      actor: author,
      action: 'audit.exported',
      target: { type: 'organization', id: orgId, name: null },
      detail: { format, ...filter, ...(afterSequence > 0 && { afterSequence }) },
      request,
    }),
  )
  const read = (after: number) =>
    store.transaction(scope, (tx) =>
      listEventsAfter(tx, orgId, filter, { afterSequence: after, limit: batchSize }),
    )
  const first = await read(afterSequence)
  const out = begin()
  try {
    if (format === 'csv') out.write(csvHeader)
    for (let batch = first; ; batch = await read(batch.at(-1)?.sequence ?? 0)) {
      const isTaken = out.write(batch.map(renderers[format]).join(''))
      if (batch.length < batchSize) break
      if (!isTaken) await isDone(out, 'drain', patienceMs)
      if (out.destroyed) return
      if (!(await mayGoOn())) throw new Error('The reader has lost the right to read')
    }
    out.end()
    await isDone(out, 'finish', patienceMs)
  } catch {
    out.destroy()
  }
}

/** Waits until the client has read what was written, or has gone. Rejects when that takes too long. */
async function isDone(out: Writable, event: 'drain' | 'finish', patienceMs: number): Promise<void> {
  if (out.destroyed || out.writableFinished) return
  const settled = new AbortController()
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(patienceMs)])
  try {
    await Promise.race([once(out, event, { signal }), once(out, 'close', { signal })])
  } finally {
    settled.abort()
  }
}

const renderers: Readonly<Record<ExportFormat, (event: LinkedEventRow) => string>> = {
  jsonl: (event) =>
    `${JSON.stringify({ ...presentEvent(event), hash: event.hash.toString('hex') })}\n`,
  csv: renderCsv,
}

const csvHeader =
  'sequence,id,at,actorType,actorId,actorName,action,targetType,targetId,targetName,detail,requestId,ip,hash\r\n'

/** A line as RFC 4180 has it. */
function renderCsv(event: LinkedEventRow): string {
  const { sequence, id, at, actor, action, target, detail, request_id: requestId, ip, hash } = event
  const fields = [
    String(sequence),
    id,
    at.toISOString(),
    actor.type,
    actor.id,
    actor.name,
    action,
    target.type,
    target.id,
    target.name,
    JSON.stringify(detail),
    requestId,
    ip,
    hash.toString('hex'),
  ]
  return `${fields.map(quote).join(',')}\r\n`
}

/** Spreadsheets run what begins like a formula, and names are what people gave. */
function quote(field: string | null): string {
  const text = field ?? ''
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
