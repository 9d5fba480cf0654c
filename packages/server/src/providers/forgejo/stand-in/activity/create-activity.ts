import {
  emptyRepository,
  findCommit,
  pushBranch,
  storeCommit,
} from '../../../../../../sandbox/src/models/git.ts'
import { runToItsEnd } from '../../../../../../sandbox/src/models/run-to-its-end.ts'
import type { ForgejoHooks } from '../hooks.ts'
import { getUser } from '../seed.ts'
import { presentForgejoRun, presentGiteaRun, presentRepository, presentUser } from '../shapes.ts'
import type {
  ForgejoAccess,
  ForgejoCommit,
  ForgejoRepository,
  ForgejoRun,
  ForgejoRunStatus,
  ForgejoState,
  ForgejoUser,
  ForgejoWorkflow,
} from '../state.ts'
import { titleOf } from '../workflow-file.ts'
import { createIssueActivity, type ForgejoIssueActivity } from './create-issue-activity.ts'
import { createPullActivity, type ForgejoPullActivity } from './create-pull-activity.ts'

/** Describes a repository to create. */
export interface NewRepository {
  /** Example: `acme/shop`. */
  readonly fullName: string
  /** Default true. */
  readonly isPrivate?: boolean
  /** Maps logins to rights. Default: `ada` administers it, and `grace` writes. */
  readonly members?: Readonly<Record<string, ForgejoAccess>>
}

/** Describes a push to a branch. */
export interface ForgejoPush {
  readonly branch: string
  readonly user: ForgejoUser
  /** Lists the commits to add to the branch, or to the default branch for a new one. */
  readonly commits?: readonly { readonly message: string }[]
  /** Holds the id of the commit that the branch is moved to. */
  readonly to?: string
}

/** Describes a run to start. */
export interface NewRun {
  readonly workflow: Pick<ForgejoWorkflow, 'file' | 'runName' | 'name' | 'inputs'>
  /** Names a branch or tag. */
  readonly ref: string
  readonly user: ForgejoUser
  /** Default `push`. */
  readonly event?: ForgejoRun['event']
  readonly inputs?: Readonly<Record<string, string>>
}

/** Performs the actions of people and runners. */
export interface ForgejoActivity extends ForgejoIssueActivity, ForgejoPullActivity {
  addRepository(made: NewRepository): ForgejoRepository
  /** Copies a repository, as people do who may not push to it. */
  fork(repository: ForgejoRepository, made: NewRepository): ForgejoRepository
  /** Deletes a repository. Its pull requests to others stay. */
  deleteRepository(repository: ForgejoRepository): void
  /** Gives a repository another name. The former one redirects. */
  rename(repository: ForgejoRepository, fullName: string): void
  /** Moves a branch, and creates it if needed. Returns its commit. */
  push(repository: ForgejoRepository, push: ForgejoPush): ForgejoCommit
  setWorkflow(repository: ForgejoRepository, workflow: ForgejoWorkflow): void
  startRun(repository: ForgejoRepository, made: NewRun): ForgejoRun
  /** Changes the state, and sends the webhooks: Forgejo tells ends alone, Gitea beginnings too. */
  setRunStatus(repository: ForgejoRepository, run: ForgejoRun, status: ForgejoRunStatus): void
  /** Runs it once more under the same id. */
  rerun(repository: ForgejoRepository, run: ForgejoRun): void
}

/** Creates the activity on the state of the sandbox. */
export function createActivity(deps: {
  readonly state: ForgejoState
  readonly hooks: Pick<ForgejoHooks, 'emit'>
}): ForgejoActivity {
  const { state } = deps
  const setRunStatus: ForgejoActivity['setRunStatus'] = (repository, run, status) => {
    const [now, before] = [state.clock.now(), run.status]
    Object.assign(run, {
      status,
      updatedAt: now,
      startedAt: status === 'running' ? now : run.startedAt,
      stoppedAt: isEnd(status) ? now : undefined,
    })
    sendHooksOf(deps, repository, run, before)
  }
  /** Runs a run that was started on request to its end, if its repository sets the course. */
  const follow = (repository: ForgejoRepository, run: ForgejoRun) => {
    const course = run.event === 'workflow_dispatch' ? repository.autoRun?.(run) : undefined
    if (course === undefined) return
    const isStill = (expected: ForgejoRunStatus) =>
      state.repositories.get(repository.id) === repository && run.status === expected
    runToItsEnd({
      clock: state.clock,
      course,
      isWaiting: () => isStill('waiting'),
      isRunning: () => isStill('running'),
      start: () => setRunStatus(repository, run, 'running'),
      finish: () => setRunStatus(repository, run, course.status),
      startedAt: () => run.startedAt,
    })
  }
  return {
    ...createIssueActivity(deps),
    ...createPullActivity(deps),
    addRepository: (made) => addRepository(state, made),
    fork: (repository, made) => copyRepository(state, repository, made),
    deleteRepository: (repository) => deleteRepository(state, repository),
    rename(repository, fullName) {
      repository.formerNames.push(repository.fullName)
      repository.fullName = fullName
    },
    push: (repository, { user: author, ...push }) =>
      pushBranch(state, repository, { author, ...push }),
    setWorkflow(repository, workflow) {
      repository.workflows.set(workflow.file, workflow)
    },
    startRun(repository, made) {
      const run = createRun(state, repository, made)
      repository.runs.set(run.id, run)
      sendHooksOf(deps, repository, run, undefined)
      follow(repository, run)
      return run
    },
    setRunStatus,
    rerun(repository, run) {
      run.attempt += 1
      setRunStatus(repository, run, 'waiting')
      follow(repository, run)
    },
  }
}

function copyRepository(
  state: ForgejoState,
  { commits, branches }: ForgejoRepository,
  made: NewRepository,
): ForgejoRepository {
  const fork = addRepository(state, made)
  fork.commits.clear()
  for (const [sha, commit] of commits) fork.commits.set(sha, commit)
  for (const [branch, sha] of branches) fork.branches.set(branch, sha)
  return fork
}

function deleteRepository({ repositories }: ForgejoState, repository: ForgejoRepository): void {
  repositories.delete(repository.id)
  for (const { pulls } of repositories.values()) {
    for (const pull of pulls.values()) if (pull.from === repository) pull.from = undefined
  }
}

function isEnd(status: ForgejoRunStatus): boolean {
  return status !== 'waiting' && status !== 'running'
}

function sendHooksOf(
  { state, hooks }: { readonly state: ForgejoState; readonly hooks: Pick<ForgejoHooks, 'emit'> },
  repository: ForgejoRepository,
  run: ForgejoRun,
  before: ForgejoRunStatus | undefined,
): void {
  if (state.settings.product === 'gitea') {
    const action = isEnd(run.status)
      ? 'completed'
      : run.status === 'running'
        ? 'in_progress'
        : 'requested'
    const payload = {
      action,
      workflow: { id: run.workflowId, name: run.workflowId },
      workflow_run: presentGiteaRun(state, repository, run),
      repository: presentRepository(state, repository),
      sender: presentUser(state, run.user),
    }
    hooks.emit({ repository, name: 'workflow_run', payload })
    return
  }
  if (!isEnd(run.status)) return
  const action = run.status === 'success' ? 'success' : 'failure'
  const payload = {
    action,
    run: presentForgejoRun(state, repository, run),
    prior_status: before ?? 'unknown',
  }
  hooks.emit({ repository, name: `action_run_${action}`, payload })
}

function createRun(
  state: ForgejoState,
  repository: ForgejoRepository,
  { workflow, ref, user, event = 'push', inputs = {} }: NewRun,
): ForgejoRun {
  const commit = findCommit(repository, ref)
  if (commit === undefined) throw new Error(`There is no ref ${ref}.`)
  const now = state.clock.now()
  return {
    id: state.nextId(),
    index: repository.runs.size + 1,
    title: titleOf({ ...workflow }, inputs, commit.message),
    workflowId: workflow.file,
    ref: ref.replace(/^refs\/(?:heads|tags)\//, ''),
    sha: commit.sha,
    event,
    inputs,
    user,
    status: 'waiting',
    attempt: 1,
    createdAt: now,
    updatedAt: now,
    startedAt: undefined,
    stoppedAt: undefined,
  }
}

function addRepository(state: ForgejoState, made: NewRepository): ForgejoRepository {
  const { fullName, isPrivate = true, members = { ada: 'admin', grace: 'write' } } = made
  const repository: ForgejoRepository = {
    id: state.nextId(),
    fullName,
    formerNames: [],
    isPrivate,
    isArchived: false,
    ...emptyRepository<ForgejoUser>(),
    createdAt: state.clock.now(),
    members: new Map(
      Object.entries(members).map(([login, right]) => [getUser(state, login).id, right]),
    ),
    workflowFolder: '.forgejo/workflows',
    workflows: new Map(),
    autoRun: undefined,
    runs: new Map(),
    issues: new Map(),
    pulls: new Map(),
    commitStatuses: [],
    hooks: new Map(),
  }
  state.repositories.set(repository.id, repository)
  const author = getUser(state, 'ada')
  const { sha } = storeCommit(state, repository, { message: 'Initial commit', author })
  repository.branches.set(repository.defaultBranch, sha)
  return repository
}
