import type { components } from '@octokit/openapi-types'
import type { components as webhookComponents } from '@octokit/openapi-webhooks-types'
import type { GithubAddresses } from '../shapes/addresses.ts'
import { toEventContext } from '../shapes/event-context.ts'
import { toNodeId } from '../shapes/node-id.ts'
import { fullNameOf, repositoryUrl, toRepository } from '../shapes/repository.ts'
import { toSimpleUser } from '../shapes/simple-user.ts'
import { toTimestamp } from '../shapes/timestamp.ts'
import type { GithubAccount, GithubPullRequest, GithubRepository } from '../state.ts'

type Official = components['schemas']['pull-request']

/** Says that the repository of a branch may be gone, which the official types leave out. */
type PullRequest = Omit<Official, 'head'> &
  Record<'head', Omit<Official['head'], 'repo'> & { repo: Official['head']['repo'] | null }>

/** Returns a pull request as its own endpoint and webhooks show it. */
export function toPullRequest(
  addresses: GithubAddresses,
  repository: GithubRepository,
  pull: GithubPullRequest,
) {
  const { id, number, title, author, state, headSha } = pull
  const below = repositoryUrl(addresses, repository)
  const url = `${below}/pulls/${number}`
  const page = `${addresses.web}/${fullNameOf(repository)}/pull/${number}`
  const user = toSimpleUser(addresses, author)
  return {
    url,
    id,
    node_id: toNodeId('PullRequest', id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: `${below}/issues/${number}`,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${below}/pulls/comments{/number}`,
    comments_url: `${below}/issues/${number}/comments`,
    statuses_url: `${below}/statuses/${headSha}`,
    number,
    state,
    locked: false,
    title,
    user,
    body: null,
    labels: [],
    milestone: null,
    active_lock_reason: null,
    ...timesOf(pull),
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    ...branchesOf(addresses, repository, pull),
    _links: linksOf({ below, url, page, number, headSha }),
    author_association: 'NONE',
    auto_merge: null,
    draft: false,
    merged: pull.mergedAt !== undefined,
    mergeable: null,
    rebaseable: null,
    mergeable_state: 'unknown',
    merged_by: pull.mergedAt === undefined ? null : user,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  } satisfies PullRequest
}

const timeOrNull = (at: Date | undefined) => (at === undefined ? null : toTimestamp(at))

function timesOf({ createdAt, updatedAt, closedAt, mergedAt }: GithubPullRequest) {
  return {
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(updatedAt),
    closed_at: timeOrNull(closedAt),
    merged_at: timeOrNull(mergedAt),
  }
}

function branchesOf(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { base, branch, from, headSha, author }: GithubPullRequest,
) {
  const owner = from?.owner ?? author
  return {
    head: {
      label: `${owner.login}:${branch}`,
      ref: branch,
      sha: headSha,
      user: toSimpleUser(addresses, owner),
      repo: from === undefined ? null : toRepository(addresses, from),
    },
    base: {
      label: `${repository.owner.login}:${base}`,
      ref: base,
      sha: repository.branches.get(base) ?? '',
      user: toSimpleUser(addresses, repository.owner),
      repo: toRepository(addresses, repository),
    },
  }
}

function linksOf(of: {
  readonly below: string
  readonly url: string
  readonly page: string
  readonly number: number
  readonly headSha: string
}) {
  const { below, url, page, number, headSha } = of
  return {
    self: { href: url },
    html: { href: page },
    issue: { href: `${below}/issues/${number}` },
    comments: { href: `${below}/issues/${number}/comments` },
    review_comments: { href: `${url}/comments` },
    review_comment: { href: `${below}/pulls/comments{/number}` },
    commits: { href: `${url}/commits` },
    statuses: { href: `${below}/statuses/${headSha}` },
  }
}

type OpeningEvent = webhookComponents['schemas']['webhook-pull-request-opened']

/** Returns the body of `pull_request` without the action, and without what only some actions have. */
export function toPullRequestEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { pull, sender }: { readonly pull: GithubPullRequest; readonly sender: GithubAccount },
) {
  return {
    number: pull.number,
    pull_request: toPullRequest(addresses, repository, pull),
    ...toEventContext(addresses, repository, sender),
  } satisfies Omit<OpeningEvent, 'action' | 'pull_request'> & { readonly pull_request: PullRequest }
}
