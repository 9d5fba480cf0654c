import type { GithubAccount, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toRepository } from './repository.ts'
import { toOrganization, toSimpleUser } from './simple-user.ts'

/** Returns the members of every webhook of a repository: the repository and the sender. */
export function toEventContext(
  addresses: GithubAddresses,
  repository: GithubRepository,
  sender: GithubAccount,
) {
  const { owner } = repository
  return {
    repository: toRepository(addresses, repository),
    ...(owner.type === 'Organization' && { organization: toOrganization(addresses, owner) }),
    sender: toSimpleUser(addresses, sender),
  }
}
