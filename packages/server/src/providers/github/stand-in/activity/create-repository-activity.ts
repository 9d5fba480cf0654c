import { emptyRepository, storeCommit } from '../../../../../../sandbox/src/models/git.ts'
import { createActionsVault } from '../actions-vault.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { fullNameOf } from '../shapes/repository.ts'
import { toRenamedEvent } from '../shapes/repository-events.ts'
import type { GithubAccount, GithubEnvironment, GithubRepository, GithubState } from '../state.ts'
import type { ActivityDeps } from './activity-deps.ts'

/** Describes a repository to create. */
export interface NewRepository {
  readonly owner: GithubAccount
  readonly name: string
  /** Default true. */
  readonly private?: boolean
  /** Names the default branch, which starts with one commit. Default `main`. */
  readonly defaultBranch?: string
}

/** Creates accounts, repositories and environments. */
export interface RepositoryActivity {
  /** Sends no webhook: an installation gets a repository by its selection. */
  addRepository(added: NewRepository): GithubRepository
  /** GitHub keeps answering at the old name until another repository takes it. */
  renameRepository(repository: GithubRepository, name: string, sender: GithubAccount): void
  /** Returns the environment of this name, and creates it if needed. Sends no webhook, because GitHub has no such event. */
  addEnvironment(repository: GithubRepository, name: string): GithubEnvironment
}

/** Creates the activity of repositories on the state of the sandbox. */
export function createRepositoryActivity({ state, emit }: ActivityDeps): RepositoryActivity {
  return {
    addRepository: (added) => addRepository(state, added),
    renameRepository(repository, name, sender) {
      const from = repository.name
      state.formerNames.set(fullNameOf(repository).toLowerCase(), repository.id)
      repository.name = name
      state.formerNames.delete(fullNameOf(repository).toLowerCase())
      const payload = toRenamedEvent(addressesOf(state), repository, { from, sender })
      emit({ name: 'repository', action: 'renamed', repository, payload })
    },
    addEnvironment: (repository, name) => addEnvironment(state, repository, name),
  }
}

/** Returns the environment of this name, and creates it when there is none. Upper and lower case are the same. */
export function addEnvironment(
  state: GithubState,
  { environments }: GithubRepository,
  name: string,
): GithubEnvironment {
  const key = name.toLowerCase()
  const existing = environments.get(key)
  if (existing !== undefined) return existing
  const now = state.clock.now()
  const vault = createActionsVault()
  const added = {
    id: state.nextId(),
    name,
    createdAt: now,
    updatedAt: now,
    protectedBy: new Set<number>(),
    vault,
  }
  environments.set(key, added)
  return added
}

function addRepository(state: GithubState, added: NewRepository): GithubRepository {
  const { owner, name, defaultBranch = 'main' } = added
  const now = state.clock.now()
  const repository: GithubRepository = {
    id: state.nextId(),
    name,
    owner,
    private: added.private ?? true,
    ...emptyRepository<GithubAccount>(defaultBranch),
    createdAt: now,
    pushedAt: now,
    environments: new Map(),
    deployments: new Map(),
    workflows: new Map(),
    runs: new Map(),
    issues: new Map(),
    formerIssues: new Map(),
    pullRequests: new Set(),
    proposals: new Map(),
    checkRuns: new Map(),
    commitStatuses: [],
    waits: [],
    comments: new Map(),
    vault: createActionsVault(),
  }
  const first = storeCommit(state, repository, {
    message: 'Initial commit',
    author: owner,
    parents: [],
    added: ['README.md'],
  })
  repository.branches.set(defaultBranch, first.sha)
  state.repositories.set(repository.id, repository)
  return repository
}
