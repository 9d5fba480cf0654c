import type { components } from '@octokit/openapi-types'
import type { GithubIssue, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

type Issue = components['schemas']['issue']

/** Returns an issue as the REST API shows it. */
export function toIssue(
  addresses: GithubAddresses,
  repository: GithubRepository,
  issue: GithubIssue,
) {
  const { id, number, title, author, assignee, state, stateReason, createdAt, updatedAt } = issue
  const url = `${repositoryUrl(addresses, repository)}/issues/${number}`
  const assigned = assignee === undefined ? null : toSimpleUser(addresses, assignee)
  return {
    id,
    node_id: toNodeId('Issue', id),
    url,
    repository_url: repositoryUrl(addresses, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${addresses.web}/${fullNameOf(repository)}/issues/${number}`,
    number,
    title,
    body: null,
    user: toSimpleUser(addresses, author),
    labels: [],
    state,
    state_reason: stateReason,
    assignee: assigned,
    assignees: assigned === null ? [] : [assigned],
    milestone: null,
    locked: false,
    comments: 0,
    author_association: 'NONE' as const,
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(updatedAt),
    closed_at: issue.closedAt === undefined ? null : toTimestamp(issue.closedAt),
  } satisfies Issue
}

/** Returns a pull request as the REST API shows it among issues. */
export function toPullRequestAsIssue(
  addresses: GithubAddresses,
  repository: GithubRepository,
  number: number,
) {
  const page = `${addresses.web}/${fullNameOf(repository)}/pull/${number}`
  const url = `${repositoryUrl(addresses, repository)}/pulls/${number}`
  const issue = toIssue(addresses, repository, {
    id: repository.id * 1_000 + number,
    number,
    title: `Pull request ${number}`,
    author: repository.owner,
    assignee: undefined,
    state: 'open',
    stateReason: null,
    createdAt: repository.createdAt,
    updatedAt: repository.createdAt,
    closedAt: undefined,
  })
  const links = { url, html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` }
  return { ...issue, html_url: page, pull_request: links } satisfies Issue
}
