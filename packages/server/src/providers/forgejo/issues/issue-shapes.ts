import { z } from 'zod'
import type { TrackerIssue } from '../../tracker.ts'
import { externalId, textOrNull } from '../../codehosts/fields.ts'

const person = z.object({ login: z.string(), full_name: textOrNull }).nullish().catch(null)

/**
 * Parses an issue as the API shows it, and `undefined` of a pull request, which has a number of the same row. There are no types and
 * no priorities.
 *
 * @see https://codeberg.org/api/swagger#/issue/issueGetIssue
 */
export const forgejoIssue = z
  .object({
    id: externalId,
    number: z.number().int(),
    title: textOrNull,
    state: z.string(),
    html_url: z.string(),
    assignee: person,
    pull_request: z.unknown().optional(),
    repository: z.object({ full_name: z.string() }),
  })
  .transform((issue): TrackerIssue | undefined => {
    if ((issue.pull_request ?? null) !== null) return undefined
    const { assignee } = issue
    return {
      externalId: issue.id,
      key: `${issue.repository.full_name}#${issue.number}`,
      title: issue.title,
      type: null,
      status: issue.state === 'open' ? 'Open' : 'Closed',
      statusCategory: issue.state === 'open' ? 'new' : 'done',
      assignee: assignee ? assignee.full_name || assignee.login : null,
      priority: null,
      url: issue.html_url,
    }
  })
