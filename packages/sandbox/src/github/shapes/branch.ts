import type { components } from '@octokit/openapi-types'
import type { GithubCommit, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toCommit } from './commit.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl } from './repository.ts'

/** Returns a branch as the list of branches shows it. */
export function toShortBranch(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { name, sha }: { readonly name: string; readonly sha: string },
) {
  const url = repositoryUrl(addresses, repository)
  return {
    name,
    commit: { sha, url: `${url}/commits/${sha}` },
    protected: false,
  } satisfies components['schemas']['short-branch']
}

/** Returns a branch as its own endpoint shows it: with its newest commit. */
export function toBranch(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { name, commit }: { readonly name: string; readonly commit: GithubCommit },
) {
  const url = `${repositoryUrl(addresses, repository)}/branches/${encodeURIComponent(name)}`
  return {
    name,
    commit: toCommit(addresses, repository, commit),
    _links: { self: url, html: `${addresses.web}/${fullNameOf(repository)}/tree/${name}` },
    protected: false,
    protection: {
      enabled: false,
      required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] },
    },
    protection_url: `${url}/protection`,
  } satisfies components['schemas']['branch-with-protection']
}

/** Returns a Git ref. Example of a name: `refs/heads/main`. */
export function toGitRef(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { name, sha }: { readonly name: string; readonly sha: string },
) {
  const url = repositoryUrl(addresses, repository)
  return {
    ref: name,
    node_id: toNodeId('Ref', `${repository.id}:${name}`),
    url: `${url}/git/${name}`,
    object: { type: 'commit', sha, url: `${url}/git/commits/${sha}` },
  } satisfies components['schemas']['git-ref']
}
