import {
  listCommits,
  reachableFrom,
  storeCommit,
  type NewCommit,
} from '../../../../../../sandbox/src/models/git.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { toPushEvent, type PushParts } from '../shapes/push-event.ts'
import { toCreateEvent, toDeleteEvent } from '../shapes/repository-events.ts'
import type { GithubAccount, GithubCommit, GithubRepository } from '../state.ts'
import type { ActivityDeps } from './activity-deps.ts'

/** Describes a change of a ref: the ref, and the account that changes it. */
export interface RefChange {
  /** Names a branch, or a tag with `refs/tags/` before it. Examples: `main`, `refs/tags/v1.2.0`. */
  readonly ref: string
  readonly pusher: GithubAccount
}

/** Describes a push to a ref. */
export type Push = RefChange &
  (
    | {
        /** Lists the commits to add to the ref, or to the default branch for a new one. Default author: the pusher. */
        readonly commits: readonly PushedCommit[]
      }
    | {
        /** Holds the SHA that the ref is moved to. */
        readonly to: string
      }
  )

export type PushedCommit = Omit<NewCommit<GithubAccount>, 'author' | 'parents'> & {
  readonly author?: GithubAccount
}

/** Makes commits and moves refs, as people do with git. */
export interface CommitActivity {
  /** Creates a commit that is on no branch until it is pushed. */
  commit(repository: GithubRepository, made: NewCommit<GithubAccount>): GithubCommit
  /** Moves a ref, creates it if needed, and sends a webhook. Returns its commit. */
  push(repository: GithubRepository, push: Push): GithubCommit
  deleteRef(repository: GithubRepository, change: RefChange): void
}

/** Creates the activity of commits on the state of the sandbox. */
export function createCommitActivity(deps: ActivityDeps): CommitActivity {
  const { state } = deps
  return {
    commit: (repository, made) => storeCommit(state, repository, made),
    push(repository, push) {
      const branch = findBranch(repository, push.ref)
      const after = getCommit(
        repository,
        'to' in push ? push.to : makeCommits(deps, repository, push),
      )
      const before = branch.shas.get(branch.name)
      if (before === after.sha) return after
      const known = shasOf(repository)
      const coming = effectOf(repository, { branch, before, after, known })
      branch.shas.set(branch.name, after.sha)
      repository.pushedAt = state.clock.now()
      emitEvent(deps, repository, branch, {
        ...coming,
        ref: branch.ref,
        before,
        after,
        pusher: push.pusher,
      })
      return after
    },
    deleteRef(repository, { ref, pusher }) {
      const branch = findBranch(repository, ref)
      const before = branch.shas.get(branch.name)
      if (before === undefined) throw new Error(`There is no ${branch.ref}.`)
      if (branch.kind === 'branch' && branch.name === repository.defaultBranch) {
        throw new Error('GitHub refuses to delete the default branch.')
      }
      branch.shas.delete(branch.name)
      repository.pushedAt = state.clock.now()
      const nothing = { forced: false, baseRef: null, commits: [], distinct: new Set<string>() }
      emitEvent(deps, repository, branch, {
        ...nothing,
        ref: branch.ref,
        before,
        after: undefined,
        pusher,
      })
    },
  }
}

interface Branch {
  /** Example: `refs/heads/main`. */
  readonly ref: string
  readonly kind: 'branch' | 'tag'
  readonly name: string
  readonly shas: Map<string, string>
}

function findBranch({ branches, tags }: GithubRepository, refName: string): Branch {
  const [, where = 'heads', name = refName] = /^refs\/(heads|tags)\/(.+)$/.exec(refName) ?? []
  const ref = `refs/${where}/${name}`
  return where === 'tags'
    ? { ref, kind: 'tag', name, shas: tags }
    : { ref, kind: 'branch', name, shas: branches }
}

function makeCommits(
  { state }: ActivityDeps,
  repository: GithubRepository,
  { ref, pusher, commits }: RefChange & { readonly commits: readonly PushedCommit[] },
): string {
  const { shas, name } = findBranch(repository, ref)
  const start = shas.get(name) ?? repository.branches.get(repository.defaultBranch)
  const newest = commits.reduce((parent, made) => {
    const parents = parent === undefined ? [] : [parent]
    return storeCommit(state, repository, { author: pusher, ...made, parents }).sha
  }, start)
  if (newest === undefined) throw new Error('Nothing to push.')
  return newest
}

function getCommit({ commits }: GithubRepository, sha: string): GithubCommit {
  const commit = commits.get(sha)
  if (commit === undefined) throw new Error(`There is no commit ${sha}.`)
  return commit
}

function shasOf({ branches, tags }: GithubRepository): readonly string[] {
  return [...branches.values(), ...tags.values()]
}

function effectOf(
  repository: GithubRepository,
  moved: {
    readonly branch: Branch
    readonly before: string | undefined
    readonly after: GithubCommit
    readonly known: readonly string[]
  },
): Pick<PushParts, 'forced' | 'baseRef' | 'commits' | 'distinct'> {
  const { branch, before, after, known } = moved
  const without = before === undefined ? known : [before]
  const isNew = before === undefined
  const base = [...repository.branches].find(([, sha]) => isNew && sha === after.sha)
  return {
    forced: before !== undefined && !reachableFrom(repository, after.sha).has(before),
    baseRef: base === undefined ? null : `refs/heads/${base[0]}`,
    commits: branch.kind === 'tag' ? [] : listCommits(repository, [after.sha], without),
    distinct: new Set(listCommits(repository, [after.sha], known).map(({ sha }) => sha)),
  }
}

function emitEvent(
  { state, emit }: ActivityDeps,
  repository: GithubRepository,
  { kind, name }: Branch,
  parts: PushParts,
): void {
  const addresses = addressesOf(state)
  const change = { kind, name, sender: parts.pusher }
  if (parts.before === undefined) {
    const payload = toCreateEvent(addresses, repository, change)
    emit({ name: 'create', repository, payload })
  }
  if (parts.after === undefined) {
    const payload = toDeleteEvent(addresses, repository, change)
    emit({ name: 'delete', repository, payload })
  }
  emit({ name: 'push', repository, payload: toPushEvent(addresses, repository, parts) })
}
