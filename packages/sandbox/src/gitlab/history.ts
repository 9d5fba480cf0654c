import type { GitlabCommit, GitlabProject } from './state.ts'

/** Returns the commit of a branch, a tag, `HEAD` or an id. An id may be abbreviated to seven digits if it is unambiguous. */
export function findCommit(project: GitlabProject, ref: string): GitlabCommit | undefined {
  const { branches, tags, commits, defaultBranch } = project
  const name = ref === 'HEAD' ? defaultBranch : ref.replace(/^refs\/(heads|tags)\//, '')
  const named = commits.get(branches.get(name) ?? tags.get(name) ?? ref.toLowerCase())
  if (named !== undefined || !/^[0-9a-f]{7,39}$/i.test(ref)) return named
  const beginning = [...commits.values()].filter(({ id }) => id.startsWith(ref.toLowerCase()))
  return beginning.length === 1 ? beginning[0] : undefined
}

/** Returns the ids of this commit and of all its ancestors. */
export function reachableFrom({ commits }: GitlabProject, from: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    open.push(...(commits.get(id)?.parents ?? []))
  }
  return reached
}

/**
 * Returns the commits of a name or of a range such as `v1..main`, newest first. `undefined`: git does not know one of
 * the names.
 */
export function listCommits(project: GitlabProject, range: string): GitlabCommit[] | undefined {
  const [, without, tip] = /^(.+?)\.\.([^.].*)$/.exec(range) ?? [undefined, undefined, range]
  const newest = findCommit(project, tip ?? '')
  const oldest = without === undefined ? undefined : findCommit(project, without)
  if (newest === undefined || (without !== undefined && oldest === undefined)) return undefined
  const reached = reachableFrom(project, newest.id)
  const left = oldest === undefined ? new Set<string>() : reachableFrom(project, oldest.id)
  return [...project.commits.values()]
    .filter(({ id }) => reached.has(id) && !left.has(id))
    .toReversed()
}

/** Returns the newest common ancestor of two commits. */
export function mergeBase(
  project: GitlabProject,
  one: GitlabCommit,
  other: GitlabCommit,
): GitlabCommit | undefined {
  const ofOne = reachableFrom(project, one.id)
  const ofOther = reachableFrom(project, other.id)
  return [...project.commits.values()].findLast(({ id }) => ofOne.has(id) && ofOther.has(id))
}
