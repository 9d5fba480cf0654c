import { z } from 'zod'
import type { TrackerIssue } from '../../tracker.ts'
import { externalId, textOrNull } from '../../codehosts/fields.ts'

const reason = textOrNull.transform((text) => text?.toLowerCase() ?? null)

/** Names why an issue was closed, where it says more than that it was. */
const reasons: Readonly<Record<string, string>> = {
  not_planned: 'Closed as not planned',
  duplicate: 'Closed as duplicate',
}

interface ReadIssue {
  readonly externalId: string
  readonly repository: string
  readonly number: number
  readonly title: string | null
  readonly isOpen: boolean
  readonly reason: string | null
  readonly assignee: string | null
  readonly url: string
}

/** Returns an issue in the words of every tracker. GitHub has no type and no priority that every repository has. */
function toTrackerIssue(read: ReadIssue): TrackerIssue {
  const { isOpen, repository, number } = read
  return {
    externalId: read.externalId,
    key: `${repository}#${number}`,
    title: read.title,
    type: null,
    status: isOpen ? 'Open' : (reasons[read.reason ?? ''] ?? 'Closed'),
    statusCategory: isOpen ? 'new' : 'done',
    assignee: read.assignee,
    priority: null,
    url: read.url,
  }
}

const person = z.object({ login: z.string(), name: textOrNull })

/** Parses an issue as GraphQL shows it. */
export const queriedIssue = z
  .object({
    __typename: z.literal('Issue'),
    fullDatabaseId: externalId,
    number: z.number().int(),
    title: textOrNull,
    url: z.string(),
    state: textOrNull,
    stateReason: reason,
    repository: z.object({ nameWithOwner: z.string() }),
    assignees: z
      .object({ nodes: z.array(person.nullable()).nullish() })
      .nullish()
      .catch(null),
  })
  .transform((issue): TrackerIssue => {
    const [assignee] = issue.assignees?.nodes ?? []
    return toTrackerIssue({
      externalId: issue.fullDatabaseId,
      repository: issue.repository.nameWithOwner,
      number: issue.number,
      title: issue.title,
      isOpen: issue.state !== 'CLOSED',
      reason: issue.stateReason,
      assignee: assignee ? (assignee.name ?? assignee.login) : null,
      url: issue.url,
    })
  })

const repositoryOfUrl = /\/repos\/([^/]+\/[^/]+)$/

/** Parses an issue as the REST API shows it, and `undefined` of a pull request, which it shows as an issue as well. */
export const restIssue = z
  .object({
    id: externalId,
    number: z.number().int(),
    title: textOrNull,
    html_url: z.string(),
    state: textOrNull,
    state_reason: reason,
    repository_url: z.string(),
    assignee: z.object({ login: z.string() }).nullish().catch(null),
    pull_request: z.unknown().optional(),
  })
  .transform((issue): TrackerIssue | undefined => {
    const repository = repositoryOfUrl.exec(issue.repository_url)?.[1]
    if (repository === undefined || (issue.pull_request ?? null) !== null) return undefined
    return toTrackerIssue({
      externalId: issue.id,
      repository,
      number: issue.number,
      title: issue.title,
      isOpen: issue.state !== 'closed',
      reason: issue.state_reason,
      assignee: issue.assignee?.login ?? null,
      url: issue.html_url,
    })
  })
