import {
  emptyRepository,
  pushBranch,
  storeCommit,
} from '../../../../../../sandbox/src/models/git.ts'
import type { GitlabHooks } from '../hooks/create-hooks.ts'
import { ciPath, writeCiFile } from '../ci-file.ts'
import type { GitlabCi, GitlabCommit, GitlabProject, GitlabState, GitlabUser } from '../state.ts'
import { createDeploymentActivity, type DeploymentActivity } from './create-deployment-activity.ts'
import { createIssueActivity, type GitlabIssueActivity } from './create-issue-activity.ts'
import {
  createMergeRequestActivity,
  type MergeRequestActivity,
} from './create-merge-request-activity.ts'
import { createPipelineActivity, type PipelineActivity } from './create-pipeline-activity.ts'

/** Describes a project to create. */
export interface NewProject {
  /** Example: `acme/shop`. Its group is created with it. */
  readonly fullPath: string
  readonly visibility?: GitlabProject['visibility']
  /** Maps usernames to roles. Default: `ada` owns it, and `grace` is a developer. */
  readonly members?: Readonly<
    Record<string, 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner'>
  >
}

/** Describes a push to a branch. */
export interface GitlabPush {
  readonly branch: string
  readonly user: GitlabUser
  /** Lists the commits to add to the branch, or to the default branch for a new one. */
  readonly commits?: readonly { readonly message: string; readonly modified?: readonly string[] }[]
  /** Holds the id of the commit that the branch is moved to. */
  readonly to?: string
}

/** Performs the actions of people and runners. */
export interface GitlabActivity
  extends DeploymentActivity, PipelineActivity, GitlabIssueActivity, MergeRequestActivity {
  addProject(made: NewProject): GitlabProject
  /** Copies a project, as people do who may not push to it. */
  forkProject(project: GitlabProject, made: NewProject): GitlabProject
  /** Deletes a project. Its merge requests to others stay. */
  deleteProject(project: GitlabProject): void
  /** Renames or moves a project. Its former path leads to it, and no hook tells of it. */
  moveProject(project: GitlabProject, fullPath: string): void
  /** Moves a branch, creates it if needed, and sends the hooks. Returns its commit. */
  push(project: GitlabProject, push: GitlabPush): GitlabCommit
  /** Writes the CI file of a project. */
  setCi(project: GitlabProject, ci: Partial<GitlabCi>): void
}

/** Creates the activity on the state of the sandbox. */
export function createActivity(deps: {
  readonly state: GitlabState
  readonly hooks: Pick<GitlabHooks, 'emit'>
}): GitlabActivity {
  const { state } = deps
  return {
    addProject: (made) => addProject(state, made),
    forkProject(project, made) {
      const fork = addProject(state, made)
      fork.commits.clear()
      for (const [sha, commit] of project.commits) fork.commits.set(sha, commit)
      for (const [branch, sha] of project.branches) fork.branches.set(branch, sha)
      return fork
    },
    deleteProject(project) {
      state.projects.delete(project.id)
      for (const { mergeRequests } of state.projects.values()) {
        for (const one of mergeRequests.values()) if (one.source === project) one.source = undefined
      }
    },
    moveProject(project, fullPath) {
      state.formerPaths.set(project.fullPath.toLowerCase(), project.id)
      Object.assign(project, { fullPath, name: fullPath.split('/').at(-1) })
    },
    push(project, { user: author, ...push }) {
      project.lastActivityAt = state.clock.now()
      return pushBranch(state, project, { author, ...push })
    },
    setCi(project, { inputs = [], workflowName, jobs = [testJob] }) {
      project.ci = { inputs, workflowName, jobs }
      project.files.set(ciPath, writeCiFile(project.ci))
    },
    ...createDeploymentActivity(deps),
    ...createPipelineActivity(deps),
    ...createIssueActivity(deps),
    ...createMergeRequestActivity(deps),
  }
}

const testJob = { name: 'test', stage: 'test', environment: undefined }

function addProject(state: GitlabState, made: NewProject): GitlabProject {
  const { fullPath, visibility = 'private', members = { ada: 'owner', grace: 'developer' } } = made
  const parts = fullPath.split('/')
  const name = parts.at(-1) ?? fullPath
  const groupPath = parts.slice(0, -1).join('/')
  const known = [...state.projects.values()].find(
    ({ namespace }) => namespace.fullPath === groupPath,
  )
  const group = { id: state.nextId(), name: groupPath, fullPath: groupPath }
  const now = state.clock.now()
  const project: GitlabProject = {
    id: state.nextId(),
    fullPath,
    name,
    namespace: known?.namespace ?? group,
    visibility,
    ...emptyRepository<GitlabUser>(),
    createdAt: now,
    lastActivityAt: now,
    isArchived: false,
    members: new Map(
      Object.entries(members).map(([username, role]) => [getUser(state, username).id, role]),
    ),
    // Begins as new groups on gitlab.com do.
    variablesRole: 'no_one_allowed',
    mergeRequests: new Map(),
    commitStatuses: [],
    ci: undefined,
    autoRun: undefined,
    files: new Map(),
    environments: new Map(),
    deployments: new Map(),
    pipelines: new Map(),
    hooks: new Map(),
    issues: new Map(),
    lastIssue: 0,
  }
  state.projects.set(project.id, project)
  const [author] = state.users.values()
  if (author === undefined) return project
  const { sha } = storeCommit(state, project, { message: 'Initial commit', author })
  project.branches.set(project.defaultBranch, sha)
  return project
}

/** Returns the user of this name; throws when there is none. */
export function getUser({ users }: Pick<GitlabState, 'users'>, username: string): GitlabUser {
  const user = users.get(username)
  if (user === undefined) throw new Error(`There is no user ${username}.`)
  return user
}
