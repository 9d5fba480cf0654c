import { z } from 'zod'
import type { TrackerEvent } from '../../tracker-event.ts'
import { externalId } from '../../codehosts/fields.ts'
import { readWebhookBody } from '../webhook-body.ts'

/** Lists the actions after which an issue is shown in another way. */
const shownActions: ReadonlySet<string> = new Set([
  'opened',
  'edited',
  'closed',
  'reopened',
  'assigned',
  'unassigned',
  'deleted',
  'transferred',
])

const changed = z.object({
  action: z.string(),
  issue: z.object({ id: externalId, number: z.number().int() }),
  repository: z.object({ full_name: z.string() }),
})

const ignored = (reason: string): TrackerEvent => ({ type: 'ignored', reason })

/**
 * Reads what a webhook of the GitHub App says of issues. Never throws.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues
 */
export function parseGithubIssueEvent(name: string, body: Buffer): TrackerEvent {
  if (name === 'installation') return { type: 'accessChanged' }
  if (name !== 'issues') return ignored('Signalbox doesn’t use this event.')
  const { data } = changed.safeParse(readWebhookBody(body))
  if (data === undefined) return ignored('The body doesn’t fit this event.')
  if (!shownActions.has(data.action)) return ignored('Signalbox doesn’t use this action.')
  const { issue, repository } = data
  const key = `${repository.full_name.toLowerCase()}#${issue.number}`
  return { type: 'issueChanged', key, externalId: issue.id }
}
