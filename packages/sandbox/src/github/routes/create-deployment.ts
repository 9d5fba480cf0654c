import { json } from '../../http/answers.ts'
import type { Answer } from '../../http/route.ts'
import { changesOf, compareCommits } from '../history.ts'
import { findCommit, listCommits } from '../../models/git.ts'
import { refuse } from '../errors.ts'
import { toDeployment } from '../shapes/deployment.ts'
import type { GithubCommit, GithubRepository } from '../state.ts'
import { createInput } from './create-input.ts'
import type { RepositoryRequest, RepositoryParts } from './repository-route.ts'

/**
 * Answers `POST /repos/{owner}/{repo}/deployments`: 201 with the deployment; 202 when the default branch was merged
 * into the ref first; 409 when it cannot be merged or a required context has not passed; 422 when the ref does not
 * exist.
 */
export function createDeployment(deps: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, addresses, actor } = request
  const input = createInput(request)
  const ref = input.requiredText('ref')
  const autoMerge = input.boolean('auto_merge') ?? true
  const requiredContexts = input.texts('required_contexts') ?? []
  const made = {
    ref,
    creator: actor,
    ...optionalProperty('task', input.text('task')),
    ...optionalProperty('payload', input.textOrObject('payload')),
    ...optionalProperty('environment', input.text('environment')),
    ...optionalProperty('description', input.text('description')),
    ...optionalProperty('transientEnvironment', input.boolean('transient_environment')),
    ...optionalProperty('productionEnvironment', input.boolean('production_environment')),
  }
  const rejection = input.rejection()
  if (rejection !== undefined) return rejection
  const commit = findCommit(repository, ref)
  if (commit === undefined) return refuse(422, `No ref found for: ${ref}`)
  const merged = autoMerge ? mergeDefaultBranch(deps, request, { ref, commit }) : undefined
  if (merged !== undefined) return merged
  if (requiredContexts.length > 0) return refuseContexts(ref, requiredContexts)
  const deployment = deps.activity.deploy(repository, made)
  const presented = toDeployment(addresses, repository, deployment)
  return json(presented, 201, { location: presented.url })
}

/** Returns an object with the property, or an empty one when the value is undefined. */
function optionalProperty<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  const property: { [Key in Name]?: Value } = {}
  if (value !== undefined) property[name] = value
  return property
}

/** Refuses required contexts: the sandbox has no commit statuses, so none has passed. */
function refuseContexts(ref: string, contexts: readonly string[]): Answer {
  const states = contexts.map((context) => ({ context, state: 'missing' }))
  const error = {
    contexts: states,
    resource: 'Deployment',
    field: 'required_contexts',
    code: 'invalid',
  }
  return refuse(409, `Conflict: Commit status checks failed for ${ref}.`, { errors: [error] })
}

/** Applies `auto_merge`: a branch that lacks commits of the default branch gets them first, and nothing is deployed. */
function mergeDefaultBranch(
  { activity }: RepositoryParts,
  { repository, actor }: RepositoryRequest,
  topic: { readonly ref: string; readonly commit: GithubCommit },
): Answer | undefined {
  const { branches, commits, defaultBranch } = repository
  const { ref, commit } = topic
  const newest = commits.get(branches.get(defaultBranch) ?? '')
  if (!branches.has(ref) || newest === undefined) return undefined
  if (compareCommits(repository, newest, commit)?.behindBy === 0) return undefined
  if (changeSameFiles(repository, newest, commit)) {
    return refuse(409, `Conflict merging ${defaultBranch} into ${ref}.`)
  }
  const made = activity.commit(repository, {
    message: `Merge ${defaultBranch} into ${ref}`,
    author: actor,
    parents: [commit.sha, newest.sha],
  })
  activity.push(repository, { ref, pusher: actor, to: made.sha })
  return json({ message: `Auto-merged ${defaultBranch} into ${ref} on deployment.` }, 202)
}

/** Returns whether two sides conflict. Files have no contents here, so changes of the same file conflict. */
function changeSameFiles(
  repository: GithubRepository,
  one: GithubCommit,
  other: GithubCommit,
): boolean {
  const pathsOf = (headCommit: GithubCommit, without: GithubCommit) =>
    changesOf(listCommits(repository, [headCommit.sha], [without.sha])).map(({ path }) => path)
  const paths = new Set(pathsOf(one, other))
  return pathsOf(other, one).some((path) => paths.has(path))
}
