import { z } from 'zod'
import type { TrackerIssue } from '../../tracker.ts'
import { externalId, textOrNull } from '../../codehosts/fields.ts'

interface ReadIssue {
  readonly externalId: string
  /** Example: `acme/shop#12`. */
  readonly key: string
  readonly title: string | null
  readonly type: string | null
  readonly isOpen: boolean
  readonly isMoved?: boolean
  readonly isConfidential: boolean
  readonly assignee: string | null
  readonly url: string
}

/** Names the types that say more than that it is an issue. */
const types: Readonly<Record<string, string>> = {
  incident: 'Incident',
  task: 'Task',
  test_case: 'Test case',
}

/**
 * Returns an issue in the words of every tracker. Signalbox shows issues to every member and in chats, so that of a confidential one
 * only the number and the state are kept. Priorities are not part of every GitLab.
 */
function toTrackerIssue(read: ReadIssue): TrackerIssue {
  const { isOpen, isMoved = false, isConfidential } = read
  const closed = isMoved ? 'Moved' : 'Closed'
  return {
    externalId: read.externalId,
    key: read.key,
    title: isConfidential ? null : read.title,
    type: types[read.type?.toLowerCase() ?? ''] ?? null,
    status: isOpen ? 'Open' : closed,
    statusCategory: isOpen ? 'new' : 'done',
    assignee: isConfidential ? null : read.assignee,
    priority: null,
    url: read.url,
  }
}

const person = z.object({ name: textOrNull, username: textOrNull })
const assignees = z.array(person.nullable()).nullish().catch(null)

function nameOf(people: z.output<typeof assignees>): string | null {
  const [first] = people ?? []
  return first?.name ?? first?.username ?? null
}

/** Describes an issue, and whether it went to another project. */
export interface ListedIssue {
  readonly number: number
  readonly isMoved: boolean
  readonly issue: TrackerIssue
}

/**
 * Parses an issue as the REST API lists it. Whether it is confidential has to be said: what is not known is not shown.
 *
 * @see https://docs.gitlab.com/api/issues/
 */
export const listedIssue = z
  .object({
    id: externalId,
    iid: z.number().int(),
    title: textOrNull,
    state: z.string(),
    confidential: z.boolean().catch(true),
    issue_type: textOrNull,
    moved_to_id: z.unknown().optional(),
    web_url: z.string(),
    references: z.object({ full: z.string() }),
    assignees,
  })
  .transform((row): ListedIssue => {
    const isMoved = (row.moved_to_id ?? null) !== null
    return {
      number: row.iid,
      isMoved,
      issue: toTrackerIssue({
        externalId: row.id,
        key: row.references.full,
        title: row.title,
        type: row.issue_type,
        isOpen: row.state === 'opened',
        isMoved,
        isConfidential: row.confidential,
        assignee: nameOf(row.assignees),
        url: row.web_url,
      }),
    }
  })

/** Lists the fields of an issue that GraphQL is asked for. */
export const issueFields =
  'id title state confidential type webUrl reference(full: true) assignees(first: 1) { nodes { name username } }'

const globalId = z
  .string()
  .regex(/^gid:\/\/gitlab\/(?:Issue|WorkItem)\/\d{1,20}$/)
  .transform((text) => text.slice(text.lastIndexOf('/') + 1))

/** Parses an issue as GraphQL shows it. */
export const queriedIssue = z
  .object({
    id: globalId,
    title: textOrNull,
    state: z.string(),
    confidential: z.boolean().catch(true),
    type: textOrNull,
    webUrl: z.string(),
    reference: z.string(),
    assignees: z.object({ nodes: assignees }).nullish().catch(null),
  })
  .transform((row) =>
    toTrackerIssue({
      externalId: row.id,
      key: row.reference,
      title: row.title,
      type: row.type,
      isOpen: row.state === 'opened',
      isConfidential: row.confidential,
      assignee: nameOf(row.assignees?.nodes),
      url: row.webUrl,
    }),
  )
