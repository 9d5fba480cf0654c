import type { components } from '@octokit/openapi-types'
import type { components as webhookComponents } from '@octokit/openapi-webhooks-types'
import type { GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toNodeId } from './node-id.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'

/** Returns a repository's full name. Example: `acme/shop`. */
export function fullNameOf({ owner, name }: Pick<GithubRepository, 'owner' | 'name'>): string {
  return `${owner.login}/${name}`
}

/** Returns a repository's address in the API. Example: `http://127.0.0.1:4500/github/api/repos/acme/shop`. */
export function repositoryUrl({ api }: GithubAddresses, repository: GithubRepository): string {
  return `${api}/repos/${fullNameOf(repository)}`
}

/** Returns a repository as other resources embed it, such as a workflow run. */
export function toMinimalRepository(addresses: GithubAddresses, repository: GithubRepository) {
  const { id, name, owner } = repository
  const url = repositoryUrl(addresses, repository)
  return {
    id,
    node_id: toNodeId('Repository', id),
    name,
    full_name: fullNameOf(repository),
    owner: toSimpleUser(addresses, owner),
    private: repository.private,
    html_url: `${addresses.web}/${fullNameOf(repository)}`,
    description: null,
    fork: false,
    url,
    ...repositoryLinks(url),
  } satisfies components['schemas']['minimal-repository']
}

/** Returns a repository with all members of its own endpoint and of webhooks. */
export function toRepository(addresses: GithubAddresses, repository: GithubRepository) {
  const page = `${addresses.web}/${fullNameOf(repository)}`
  const { host, hostname } = new URL(page)
  return {
    ...toMinimalRepository(addresses, repository),
    git_url: `git://${host}/${fullNameOf(repository)}.git`,
    ssh_url: `git@${hostname}:${fullNameOf(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    topics: [],
    visibility: visibilityOf(repository),
    default_branch: repository.defaultBranch,
    ...counts,
    ...features,
    created_at: toTimestamp(repository.createdAt),
    updated_at: toTimestamp(repository.pushedAt),
    pushed_at: toTimestamp(repository.pushedAt),
  } satisfies components['schemas']['full-repository'] &
    components['schemas']['repository'] &
    webhookComponents['schemas']['repository-webhooks']
}

function visibilityOf(repository: GithubRepository): 'private' | 'public' {
  return repository.private ? 'private' : 'public'
}

const counts = {
  forks: 0,
  forks_count: 0,
  network_count: 0,
  open_issues: 0,
  open_issues_count: 0,
  size: 0,
  stargazers_count: 0,
  subscribers_count: 0,
  watchers: 0,
  watchers_count: 0,
}

const features = {
  allow_forking: false,
  archived: false,
  disabled: false,
  has_discussions: false,
  has_downloads: true,
  has_issues: true,
  has_pages: false,
  has_projects: true,
  has_wiki: true,
  is_template: false,
  web_commit_signoff_required: false,
}

/** Returns the addresses below a repository's own, as templates (RFC 6570) where GitHub uses templates. */
function repositoryLinks(url: string) {
  return {
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  }
}
