import { z } from 'zod'
import { readForeignJson } from '../../../egress/foreign-json.ts'
import type { TrackerEvent } from '../../tracker-event.ts'
import { externalId } from '../../codehosts/fields.ts'

const changed = z.object({
  issue: z.object({ id: externalId, number: z.number().int() }),
  repository: z.object({ full_name: z.string() }),
})

const ignored = (reason: string): TrackerEvent => ({ type: 'ignored', reason })

/**
 * Reads what a webhook of Forgejo or Gitea says of issues, by the name that all its kinds of changes have. Never throws.
 *
 * @see https://forgejo.org/docs/latest/user/webhooks/
 */
export function parseForgejoIssueEvent(name: string, bytes: Buffer): TrackerEvent {
  if (name !== 'issues') return ignored('Signalbox doesn’t use this event.')
  const { data } = changed.safeParse(readForeignJson(bytes))
  if (data === undefined) return ignored('The body doesn’t fit this event.')
  const { issue, repository } = data
  const key = `${repository.full_name.toLowerCase()}#${issue.number}`
  return { type: 'issueChanged', key, externalId: issue.id }
}
