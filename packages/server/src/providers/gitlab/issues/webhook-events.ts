import { z } from 'zod'
import { readForeignJson } from '../../../egress/foreign-json.ts'
import type { TrackerEvent } from '../../tracker-event.ts'
import { externalId } from '../../codehosts/fields.ts'

const changed = z.object({
  object_attributes: z.object({ id: externalId, iid: z.number().int() }),
  project: z.object({ path_with_namespace: z.string() }),
})

const ignored = (reason: string): TrackerEvent => ({ type: 'ignored', reason })

/**
 * Reads what a webhook of GitLab says of issues. Those that are confidential have an event of their own, which no webhook of ours
 * asks for. Never throws.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events
 */
export function parseGitlabIssueEvent(name: string, body: Buffer): TrackerEvent {
  if (name !== 'Issue Hook') return ignored('Signalbox doesn’t use this event.')
  const { data } = changed.safeParse(readForeignJson(body))
  if (data === undefined) return ignored('The body doesn’t fit this event.')
  const { object_attributes: issue, project } = data
  const key = `${project.path_with_namespace.toLowerCase()}#${issue.iid}`
  return { type: 'issueChanged', key, externalId: issue.id }
}
