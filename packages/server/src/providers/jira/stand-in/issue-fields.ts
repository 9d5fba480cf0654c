import { avatarUrls, type SiteAddresses } from './site-addresses.ts'
import type { JiraAccount, JiraIssue, JiraProject } from './state.ts'
import { issueTypes, priorities, statusCategories, statuses } from './vocabulary.ts'

interface IssueField {
  readonly name: string
  /** Names its type in the response of `GET field`. */
  readonly type: string
  readonly of: (issue: JiraIssue, addresses: SiteAddresses) => unknown
}

/** Maps the id of each issue field to its name, its type and how its value is written. */
export const issueFields: Readonly<Record<string, IssueField>> = {
  summary: { name: 'Summary', type: 'string', of: ({ summary }) => summary },
  status: { name: 'Status', type: 'status', of: ({ status }, at) => toStatusJson(status, at) },
  issuetype: {
    name: 'Issue Type',
    type: 'issuetype',
    of: ({ type }, at) => {
      const { id, ...more } = issueTypes[type]
      const iconUrl = avatarUrls(at)['16x16']
      return {
        self: `${at.api}/issuetype/${id}`,
        id,
        name: type,
        description: '',
        iconUrl,
        ...more,
      }
    },
  },
  priority: {
    name: 'Priority',
    type: 'priority',
    of: ({ priority }, at) => {
      const { id } = priorities[priority]
      const iconUrl = avatarUrls(at)['16x16']
      return { self: `${at.api}/priority/${id}`, iconUrl, name: priority, id }
    },
  },
  assignee: {
    name: 'Assignee',
    type: 'user',
    of: ({ assignee }, at) => assignee && toAccountJson(assignee, at),
  },
  project: {
    name: 'Project',
    type: 'project',
    of: ({ project }, at) => toProjectJson(project, at),
  },
  created: { name: 'Created', type: 'datetime', of: ({ createdAt }) => toJiraTime(createdAt) },
  updated: { name: 'Updated', type: 'datetime', of: ({ updatedAt }) => toJiraTime(updatedAt) },
}

function toStatusJson(name: JiraIssue['status'], at: SiteAddresses): unknown {
  const { id, category } = statuses[name]
  const { id: categoryId, ...more } = statusCategories[category]
  return {
    self: `${at.api}/status/${id}`,
    description: '',
    iconUrl: avatarUrls(at)['16x16'],
    name,
    id,
    statusCategory: { self: `${at.api}/statuscategory/${categoryId}`, id: categoryId, ...more },
  }
}

/** Returns a person as every operation of Jira writes one. */
export function toAccountJson(account: JiraAccount, at: SiteAddresses): Record<string, unknown> {
  return {
    self: `${at.api}/user?accountId=${encodeURIComponent(account.accountId)}`,
    accountId: account.accountId,
    emailAddress: account.emailAddress,
    avatarUrls: avatarUrls(at),
    displayName: account.displayName,
    active: true,
    timeZone: 'Etc/UTC',
    accountType: 'atlassian',
  }
}

/** Returns a project as an issue embeds it. */
export function toProjectJson(project: JiraProject, at: SiteAddresses): Record<string, unknown> {
  return {
    self: `${at.api}/project/${project.id}`,
    id: String(project.id),
    key: project.key,
    name: project.name,
    projectTypeKey: 'software',
    simplified: false,
    avatarUrls: avatarUrls(at),
  }
}

/** Returns a date as Jira writes it. Example: `2026-03-01T12:00:00.000+0000`. */
function toJiraTime(at: Date): string {
  return at.toISOString().replace('Z', '+0000')
}

/** Returns an issue with the selected fields. */
export function toIssueJson(
  issue: JiraIssue,
  addresses: SiteAddresses,
  isWanted: (field: string) => boolean,
): Record<string, unknown> {
  const selectedFields = Object.entries(issueFields).filter(([id]) => isWanted(id))
  return {
    expand: 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations',
    id: String(issue.id),
    self: `${addresses.api}/issue/${issue.id}`,
    key: issue.key,
    fields: Object.fromEntries(
      selectedFields.map(([id, field]) => [id, field.of(issue, addresses)]),
    ),
  }
}

/**
 * Parses a parameter `fields`: ids, `*all` and `*navigable`, and `-id` to exclude one. Each element may hold several,
 * separated by commas. Without any inclusion, all fields are selected.
 */
export function selectFields(values: readonly string[]): (field: string) => boolean {
  const names = splitList(values)
  const excluded = new Set(
    names.filter((name) => name.startsWith('-')).map((name) => name.slice(1)),
  )
  const included = new Set(names.filter((name) => !name.startsWith('-')))
  const all = included.size === 0 || included.has('*all') || included.has('*navigable')
  return (field) => !excluded.has(field) && (all || included.has(field))
}

/** Returns the elements of a list parameter, whether it was repeated or separated by commas. */
export function splitList(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
