import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Describes a commit. `Person` is whoever a host names as its author. */
export interface Commit<Person> {
  readonly sha: string
  readonly treeSha: string
  readonly message: string
  readonly author: Person
  readonly at: Date
  readonly parents: readonly string[]
  /** Lists paths. */
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

/** Describes what a repository of any host has in common: what git knows. */
export interface GitRepository<Person> {
  readonly defaultBranch: string
  /** Maps names to the SHAs of commits. */
  readonly branches: Map<string, string>
  readonly tags: Map<string, string>
  /** Maps SHAs to commits, in the order of creation: each after its parents. */
  readonly commits: Map<string, Commit<Person>>
}

/** Describes a branch or a tag. */
export interface Ref {
  readonly kind: 'branch' | 'tag'
  readonly name: string
  readonly sha: string
}

/** Describes a commit to store. Without parents it is on top of the default branch. */
export type NewCommit<Person> = Pick<Commit<Person>, 'message' | 'author'> &
  Partial<Pick<Commit<Person>, 'parents' | 'added' | 'modified' | 'removed'>>

/** Describes a push to a branch: commits to add to it, or the commit that it is moved to. */
export interface BranchPush<Person> {
  readonly branch: string
  readonly author: Person
  readonly commits?: readonly Omit<NewCommit<Person>, 'author' | 'parents'>[]
  readonly to?: string
}

type Named = Pick<GitRepository<unknown>, 'branches' | 'tags'>

/** Returns a repository without a commit. */
export function emptyRepository<Person>(defaultBranch = 'main'): GitRepository<Person> {
  return { defaultBranch, branches: new Map(), tags: new Map(), commits: new Map() }
}

/** Returns the branch or tag of a name, such as `main`, `heads/main` or `refs/tags/v1`. A branch wins over a tag. */
export function findRef({ branches, tags }: Named, ref: string): Ref | undefined {
  const [, namespace, name = ref] = /^(?:refs\/)?(heads|tags)\/(.+)$/.exec(ref) ?? []
  const branch = namespace === 'tags' ? undefined : branches.get(name)
  if (branch !== undefined) return { kind: 'branch', name, sha: branch }
  const tag = namespace === 'heads' ? undefined : tags.get(name)
  return tag === undefined ? undefined : { kind: 'tag', name, sha: tag }
}

/**
 * Returns the commit of a branch, a tag, `HEAD` or a SHA. A SHA may be abbreviated to seven digits or more if it is unambiguous.
 */
export function findCommit<Person>(
  repository: GitRepository<Person>,
  ref: string,
): Commit<Person> | undefined {
  const { commits, defaultBranch } = repository
  const target = findRef(repository, ref === 'HEAD' ? defaultBranch : ref)
  const named = commits.get(target?.sha ?? ref.toLowerCase())
  if (named !== undefined || !/^[0-9a-f]{7,39}$/i.test(ref)) return named
  const beginning = [...commits.values()].filter(({ sha }) => sha.startsWith(ref.toLowerCase()))
  return beginning.length === 1 ? beginning[0] : undefined
}

/** Returns the SHAs of these commits and of all their ancestors. */
export function reachableFrom(
  { commits }: Pick<GitRepository<unknown>, 'commits'>,
  ...from: readonly string[]
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...from]
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (reached.has(sha)) continue
    reached.add(sha)
    open.push(...(commits.get(sha)?.parents ?? []))
  }
  return reached
}

/** Returns the commits that are reachable from `tips` and not from `without`, oldest first. */
export function listCommits<Person>(
  repository: GitRepository<Person>,
  tips: readonly string[],
  without: readonly string[] = [],
): Commit<Person>[] {
  const reached = reachableFrom(repository, ...tips)
  const left = reachableFrom(repository, ...without)
  return [...repository.commits.values()].filter(({ sha }) => reached.has(sha) && !left.has(sha))
}

/** Returns the newest common ancestor of two commits. Commits are kept in the order of creation, so the last common one is it. */
export function mergeBase<Person>(
  repository: GitRepository<Person>,
  one: Commit<Person>,
  other: Commit<Person>,
): Commit<Person> | undefined {
  const ofOne = reachableFrom(repository, one.sha)
  return listCommits(repository, [other.sha]).findLast(({ sha }) => ofOne.has(sha))
}

/** Creates a commit that is on no branch yet. */
export function storeCommit<Person>(
  { clock, nextId }: { readonly clock: Clock; readonly nextId: () => number },
  { branches, commits, defaultBranch }: GitRepository<Person>,
  made: NewCommit<Person>,
): Commit<Person> {
  const { message, author, added = [], modified = [], removed = [] } = made
  const newest = branches.get(defaultBranch)
  const parents = made.parents ?? (newest === undefined ? [] : [newest])
  for (const parent of parents) {
    if (!commits.has(parent)) throw new Error(`There is no commit ${parent}.`)
  }
  // Makes equal commits at the same moment differ, as their ids do.
  const text = JSON.stringify([nextId(), message, author, parents])
  const hash = (kind: string) => createHash('sha1').update(`${kind} ${text}`).digest('hex')
  const [sha, treeSha] = [hash('commit'), hash('tree')]
  const commit = { sha, treeSha, message, author, at: clock.now(), parents }
  const stored = { ...commit, added, modified, removed }
  commits.set(sha, stored)
  return stored
}

/** Moves a branch, and creates it from the default one if needed. Returns its commit. */
export function pushBranch<Person>(
  source: Parameters<typeof storeCommit>[0],
  repository: GitRepository<Person>,
  { branch, author, commits = [], to }: BranchPush<Person>,
): Commit<Person> {
  const { branches, defaultBranch } = repository
  const start = to ?? branches.get(branch) ?? branches.get(defaultBranch)
  const newest = commits.reduce((parent, made) => {
    const parents = parent === undefined ? [] : [parent]
    return storeCommit(source, repository, { ...made, author, parents }).sha
  }, start)
  const commit = repository.commits.get(newest ?? '')
  if (commit === undefined) throw new Error('Nothing to push.')
  branches.set(branch, commit.sha)
  return commit
}
