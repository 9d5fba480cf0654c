import type { RefreshRequest } from '../sending/refresh-notification.ts'
import { readEventSubject } from '../subject.ts'

/** Returns what a job about an id asks for. */
export function refreshOf(orgId: string, id: string): RefreshRequest {
  const subject = readEventSubject(id)
  if (subject === undefined) throw new Error(`No message is about ${id}.`)
  return { orgId, subject }
}
