import type { components } from '@octokit/openapi-webhooks-types'
import type { GithubAccount, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toEventContext } from './event-context.ts'

/** Returns the body of `repository` with the action `renamed`. The repository in it has its new name. */
export function toRenamedEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  renamed: { readonly from: string; readonly sender: GithubAccount },
) {
  return {
    action: 'renamed',
    changes: { repository: { name: { from: renamed.from } } },
    ...toEventContext(addresses, repository, renamed.sender),
  } satisfies components['schemas']['webhook-repository-renamed']
}

/** Returns the body of `create`: a branch or tag was created. */
export function toCreateEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  created: RefEvent,
) {
  return {
    ...toDeleteEvent(addresses, repository, created),
    master_branch: repository.defaultBranch,
    description: null,
  } satisfies components['schemas']['webhook-create']
}

/** Returns the body of `delete`: a branch or tag was deleted. */
export function toDeleteEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { kind, name, sender }: RefEvent,
) {
  return {
    ref: name,
    ref_type: kind,
    pusher_type: 'user',
    ...toEventContext(addresses, repository, sender),
  } satisfies components['schemas']['webhook-delete']
}

/** Describes a branch or tag that was created or deleted. */
export interface RefEvent {
  readonly kind: 'branch' | 'tag'
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string
  readonly sender: GithubAccount
}
