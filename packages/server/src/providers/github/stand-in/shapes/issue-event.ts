import type { components } from '@octokit/openapi-webhooks-types'
import type { GithubAccount, GithubIssue, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toEventContext } from './event-context.ts'
import { toIssue } from './issue.ts'
import { repositoryUrl } from './repository.ts'

type Closed = components['schemas']['webhook-issues-closed']

/** Returns the body of `issues` without the action. */
export function toIssueEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { issue, sender }: { readonly issue: GithubIssue; readonly sender: GithubAccount },
) {
  const presented = toIssue(addresses, repository, issue)
  return {
    issue: {
      ...presented,
      active_lock_reason: null,
      timeline_url: `${repositoryUrl(addresses, repository)}/issues/${issue.number}/timeline`,
      reactions: {
        '+1': 0,
        '-1': 0,
        confused: 0,
        eyes: 0,
        heart: 0,
        hooray: 0,
        laugh: 0,
        rocket: 0,
        total_count: 0,
        url: `${presented.url}/reactions`,
      },
    },
    ...toEventContext(addresses, repository, sender),
  } satisfies { [Part in keyof Omit<Closed, 'action' | 'issue'>]: unknown } & { issue: unknown }
}
