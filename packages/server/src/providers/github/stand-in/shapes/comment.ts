import type { components } from '@octokit/openapi-types'
import type { GithubComment, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

/** Returns a comment on a pull request, as the issue endpoints show it. */
export function toComment(
  addresses: GithubAddresses,
  repository: GithubRepository,
  comment: GithubComment,
) {
  const { id, number, author, body, createdAt, updatedAt } = comment
  const below = `${repositoryUrl(addresses, repository)}/issues`
  return {
    id,
    node_id: toNodeId('IssueComment', id),
    url: `${below}/comments/${id}`,
    html_url: `${addresses.web}/${fullNameOf(repository)}/pull/${number}#issuecomment-${id}`,
    issue_url: `${below}/${number}`,
    body,
    user: toSimpleUser(addresses, author),
    author_association: 'NONE',
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(updatedAt),
  } satisfies components['schemas']['issue-comment']
}
