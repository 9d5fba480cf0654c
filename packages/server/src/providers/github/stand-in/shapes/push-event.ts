import type { components } from '@octokit/openapi-webhooks-types'
import type { GithubAccount, GithubCommit, GithubRepository } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toEventContext } from './event-context.ts'
import { fullNameOf } from './repository.ts'
import { toTimestamp } from './timestamp.ts'

/** Describes the effect of a push. */
export interface PushParts {
  /** Example: `refs/heads/main`. */
  readonly ref: string
  /** Holds the SHA before. `undefined`: the ref was created. */
  readonly before: string | undefined
  /** Holds the SHA after. `undefined`: the ref was deleted. */
  readonly after: GithubCommit | undefined
  /** Says whether the push removed commits from the ref. */
  readonly forced: boolean
  /** Names the branch that a new ref starts from, with `refs/heads/`. */
  readonly baseRef: string | null
  /** Lists the commits that were added to the ref, oldest first. */
  readonly commits: readonly GithubCommit[]
  /** Lists the SHAs of commits that were on no other ref before. */
  readonly distinct: ReadonlySet<string>
  readonly pusher: GithubAccount
}

const noCommit = '0'.repeat(40)
/** Limits the commits of the event (docs.github.com/webhooks). */
const commitsMax = 2048

/** Returns the body of a `push`. Only there the repository's dates are seconds since 1970. */
export function toPushEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  parts: PushParts,
) {
  const { ref, after, distinct, pusher } = parts
  const page = `${addresses.web}/${fullNameOf(repository)}`
  const toEntry = (commit: GithubCommit) =>
    toPushCommit(page, { commit, isDistinct: distinct.has(commit.sha) })
  const context = toEventContext(addresses, repository, pusher)
  return {
    ref,
    before: parts.before ?? noCommit,
    after: after?.sha ?? noCommit,
    ...context,
    repository: {
      ...context.repository,
      created_at: toSeconds(repository.createdAt),
      pushed_at: toSeconds(repository.pushedAt),
      stargazers: 0,
      master_branch: repository.defaultBranch,
    },
    pusher: { name: pusher.login, email: pusher.email },
    created: parts.before === undefined,
    deleted: after === undefined,
    forced: parts.forced,
    base_ref: parts.baseRef,
    compare: `${page}/${comparePath(parts)}`,
    commits: parts.commits.slice(-commitsMax).map(toEntry),
    head_commit: after === undefined ? null : toEntry(after),
  } satisfies components['schemas']['webhook-push']
}

function comparePath({ ref, before, after }: PushParts): string {
  if (before !== undefined) {
    return `compare/${before.slice(0, 12)}...${(after?.sha ?? noCommit).slice(0, 12)}`
  }
  return `compare/${ref.replace(/^refs\/(?:heads|tags)\//, '')}`
}

function toPushCommit(
  page: string,
  { commit, isDistinct }: { readonly commit: GithubCommit; readonly isDistinct: boolean },
) {
  const { sha, treeSha, message, author, at, added, removed, modified } = commit
  const person = { name: author.name, email: author.email, username: author.login }
  return {
    id: sha,
    tree_id: treeSha,
    distinct: isDistinct,
    message,
    timestamp: toTimestamp(at),
    url: `${page}/commit/${sha}`,
    author: person,
    committer: person,
    added: [...added],
    removed: [...removed],
    modified: [...modified],
  }
}

function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
