import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { Commit, GitRepository } from '../../../../../sandbox/src/models/git.ts'
import type { AutoCourse } from '../../../../../sandbox/src/models/run-to-its-end.ts'

/** Describes a person, or the bot of an access token. */
export interface GitlabUser {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
}

/** Lists the roles of a member by their access level. */
export const accessLevels = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const
/** Names a role. Example: `maintainer`. */
export type GitlabRole = keyof typeof accessLevels

export type GitlabCommit = Commit<GitlabUser>

/** Names how important an environment is. */
export type GitlabTier = 'production' | 'staging' | 'testing' | 'development' | 'other'

/** Describes an environment of a project. */
export interface GitlabEnvironment {
  readonly id: number
  readonly name: string
  readonly slug: string
  tier: GitlabTier
  externalUrl: string | null
  state: 'available' | 'stopping' | 'stopped'
  readonly createdAt: Date
  updatedAt: Date
  autoStopAt: Date | null
}

/** Names the state of a deployment. A deployment has no history of states: it is in one of them. */
export type GitlabDeploymentStatus =
  | 'created'
  | 'blocked'
  | 'running'
  | 'success'
  | 'failed'
  | 'canceled'
  | 'skipped'

export interface GitlabDeployment {
  readonly id: number
  readonly iid: number
  readonly ref: string
  readonly isTag: boolean
  readonly sha: string
  readonly environmentId: number
  readonly user: GitlabUser
  status: GitlabDeploymentStatus
  readonly createdAt: Date
  updatedAt: Date
  finishedAt: Date | undefined
  /** Holds the job that deploys. `undefined`: the deployment was made through the API. */
  readonly job:
    | { readonly id: number; readonly name: string; readonly pipelineId: number }
    | undefined
}

/** Names the state of a pipeline. */
export type GitlabPipelineStatus =
  | 'created'
  | 'waiting_for_resource'
  | 'preparing'
  | 'pending'
  | 'running'
  | 'success'
  | 'failed'
  | 'canceled'
  | 'skipped'
  | 'manual'
  | 'scheduled'

/** Describes what is proposed to a project, and where it comes from. */
export interface GitlabMergeRequest {
  readonly id: number
  /** Counts within its project, and is what people write. */
  readonly iid: number
  title: string
  readonly author: GitlabUser
  readonly sourceBranch: string
  /** Holds the project of its branch: another one for a fork. `undefined`: the fork is gone. */
  source: GitlabProject | undefined
  readonly targetBranch: string
  headSha: string
  state: 'opened' | 'closed' | 'merged'
  readonly createdAt: Date
  updatedAt: Date
}

/** Describes a status of a commit that somebody outside of GitLab has set. */
export interface GitlabCommitStatus {
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly name: string
  status: 'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped'
  description: string | null
  targetUrl: string | null
  readonly author: GitlabUser
  readonly createdAt: Date
  finishedAt: Date | undefined
}

/** Describes a pipeline. A retry keeps its id, and nothing counts the attempts. */
export interface GitlabPipeline {
  readonly id: number
  readonly iid: number
  /** Holds the name that `workflow:name` of the CI file gives it. */
  readonly name: string | null
  readonly ref: string
  readonly isTag: boolean
  readonly sha: string
  readonly source: 'api' | 'push' | 'web' | 'schedule'
  readonly user: GitlabUser
  readonly inputs: Readonly<Record<string, unknown>>
  readonly variables: readonly { readonly key: string; readonly value: string }[]
  status: GitlabPipelineStatus
  readonly createdAt: Date
  updatedAt: Date
  startedAt: Date | undefined
  finishedAt: Date | undefined
  /** Lists its jobs in the order of their creation. */
  readonly jobs: GitlabJob[]
  /** Lists the cases of its JUnit reports. `undefined`: no job declares any. */
  tests: readonly GitlabTestCase[] | undefined
  /** Says what is wrong with the report of a job. Its tests are in no sum. */
  suiteError: string | null
}

/** Describes a job of a pipeline. */
export interface GitlabJob {
  readonly id: number
  readonly name: string
  readonly stage: string
  /** Names the environment that the job deploys to. */
  readonly environment: string | undefined
  status: GitlabPipelineStatus
  readonly createdAt: Date
  finishedAt: Date | undefined
}

/** Describes a test of a JUnit report. */
export interface GitlabTestCase {
  readonly status: 'success' | 'failed' | 'skipped' | 'error'
  readonly name: string
  readonly classname: string
  /** In seconds. */
  readonly executionTime: number
  readonly systemOutput?: string
}

/** Describes an input that the CI file declares in its header (`spec:inputs`). */
export interface GitlabInput {
  readonly name: string
  readonly description?: string
  /** Default `string`. */
  readonly type?: 'string' | 'number' | 'boolean' | 'array'
  /** An input without a default is required. */
  readonly default?: string | number | boolean | readonly string[]
  readonly options?: readonly (string | number)[]
  /** Example: `^[a-z]+$`. */
  readonly regex?: string
}

/** Describes the CI file of a project. There is one, and it is what a pipeline runs. */
export interface GitlabCi {
  readonly inputs: readonly GitlabInput[]
  /** Holds `workflow:name`, in which `$[[ inputs.x ]]` and `$X` are replaced. Example: `E2E $[[ inputs.test_run_id ]]`. */
  readonly workflowName: string | undefined
  readonly jobs: readonly Pick<GitlabJob, 'name' | 'stage' | 'environment'>[]
}

/** Describes the course of a pipeline that the product starts. */
export type GitlabAutoRun = AutoCourse & {
  readonly status: Extract<GitlabPipelineStatus, 'success' | 'failed' | 'canceled'>
}

export interface GitlabIssue {
  readonly id: number
  /** Counts within its project, and is what people write. */
  readonly iid: number
  title: string
  readonly author: GitlabUser
  assignee: GitlabUser | undefined
  readonly type: 'issue' | 'incident' | 'task'
  isConfidential: boolean
  state: 'opened' | 'closed'
  /** Names what it became in another project. */
  movedTo: { readonly projectId: number; readonly iid: number } | undefined
  readonly createdAt: Date
  updatedAt: Date
}

/** Describes a webhook of a project. */
export interface GitlabHook {
  readonly id: number
  url: string
  /** Holds the text that is sent as `X-Gitlab-Token`. Nobody can read it back. */
  token: string | undefined
  /** Holds the key of Standard Webhooks: `whsec_` and base64. Nobody can read it back. */
  signingToken: string | undefined
  /** Lists the triggers that are on. Example: `deployment_events`. */
  triggers: ReadonlySet<GitlabTrigger>
  enableSslVerification: boolean
  name: string | null
  description: string | null
  readonly createdAt: Date
  /** Counts the failures since the last success. */
  recentFailures: number
  disabledUntil: Date | undefined
  /** Says whether it is off until somebody tests it. */
  isDisabled: boolean
  /** Lists what was sent, oldest first. */
  events: GitlabHookEvent[]
}

/** Describes a request to a webhook, as the list of recent events shows it. */
export interface GitlabHookEvent {
  readonly id: number
  readonly url: string
  /** Example: `deployment_hooks`. */
  readonly trigger: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestData: unknown
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** Holds the status, or `internal error` when there was no response. */
  readonly responseStatus: string
  /** In seconds. */
  readonly executionDuration: number
  readonly at: Date
}

/** Lists the triggers of a webhook that this GitLab knows. */
export const triggers = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'job_events',
  'pipeline_events',
  'deployment_events',
  'releases_events',
] as const
/** Names a trigger of a webhook. */
export type GitlabTrigger = (typeof triggers)[number]

/** Names the lowest role that may set variables of a pipeline. */
export type VariablesRole = 'no_one_allowed' | 'owner' | 'maintainer' | 'developer'

/** Describes a project with everything in it. */
export interface GitlabProject extends GitRepository<GitlabUser> {
  readonly id: number
  /** Example: `acme/shop`. It changes when the project is renamed or moved. */
  fullPath: string
  name: string
  readonly namespace: { readonly id: number; readonly name: string; readonly fullPath: string }
  visibility: 'private' | 'internal' | 'public'
  readonly createdAt: Date
  lastActivityAt: Date
  isArchived: boolean
  /** Maps the ids of its members to their roles, those of the group included. */
  readonly members: Map<number, GitlabRole>
  variablesRole: VariablesRole
  /** Maps numbers within the project to merge requests. */
  readonly mergeRequests: Map<number, GitlabMergeRequest>
  /** Oldest first. */
  readonly commitStatuses: GitlabCommitStatus[]
  /** Describes the file `.gitlab-ci.yml`, which is in `files`. `undefined`: the project has none. */
  ci: GitlabCi | undefined
  /** Sets the course of pipelines that are started through the API. `undefined`: they wait for a test. */
  autoRun: ((pipeline: GitlabPipeline) => GitlabAutoRun | undefined) | undefined
  /** Maps paths to the contents of files, the same on every branch. */
  readonly files: Map<string, string>
  readonly environments: Map<number, GitlabEnvironment>
  readonly deployments: Map<number, GitlabDeployment>
  readonly pipelines: Map<number, GitlabPipeline>
  readonly hooks: Map<number, GitlabHook>
  /** Maps numbers within the project to issues. */
  readonly issues: Map<number, GitlabIssue>
  /** Holds the highest number that an issue has had. */
  lastIssue: number
}

/** Describes an application of OAuth. */
export interface GitlabApplication {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  /** Says whether it has to prove its secret. */
  readonly isConfidential: boolean
  readonly scopes: ReadonlySet<string>
  redirectUris: readonly string[]
}

/** Describes settings of the instance. They return to their defaults with a reset. */
export interface GitlabSettings {
  /** Holds the version. Example: `19.2.1`. */
  version: string
  /** Says whether hooks can have a signing token. If not, `signing_token` is ignored without a word. */
  hasSigningTokens: boolean
  /** Says whether hooks that fail are switched off. Self-managed instances leave it off. */
  disablesFailingHooks: boolean
  /** Allows hooks to this machine. Real instances refuse that unless an administrator allows it. */
  allowsLocalHooks: boolean
  /** Limits the API calls of a user and minute. */
  callsPerMinute: number
  /** Limits the hooks of a project. */
  hooksPerProject: number
  /** Counts the next refreshes that are answered `invalid_grant` although the token is good. */
  refusesGoodRefreshes: number
}

/** Holds everything that the pretended GitLab knows. */
export interface GitlabState {
  readonly clock: Clock
  /** Holds the address of the instance, for links. Example: `http://127.0.0.1:4500/gitlab`. */
  baseUrl: string
  readonly settings: GitlabSettings
  readonly application: GitlabApplication
  /** By username. */
  readonly users: Map<string, GitlabUser>
  /** By id. */
  readonly projects: Map<number, GitlabProject>
  /** Maps former paths, in lower case, to the ids of the projects that had them. */
  readonly formerPaths: Map<string, number>
  /** Returns the next id. Ids of every kind grow with time. */
  readonly nextId: () => number
}

/** Returns the settings of gitlab.com. */
export function defaultSettings(): GitlabSettings {
  return {
    version: '19.2.1',
    hasSigningTokens: true,
    disablesFailingHooks: true,
    allowsLocalHooks: true,
    callsPerMinute: 2_000,
    hooksPerProject: 100,
    refusesGoodRefreshes: 0,
  }
}

/** Creates an empty GitLab with this application. */
export function createGitlabState(clock: Clock, application: GitlabApplication): GitlabState {
  let id = 5_000
  return {
    clock,
    baseUrl: '',
    settings: defaultSettings(),
    application,
    users: new Map(),
    projects: new Map(),
    formerPaths: new Map(),
    nextId: () => (id += 1),
  }
}

/** Returns the project of this id or full path. Upper and lower case of the path are the same. */
export function findProject(
  { projects }: GitlabState,
  idOrPath: string,
): GitlabProject | undefined {
  if (/^\d+$/.test(idOrPath)) return projects.get(Number(idOrPath))
  const path = idOrPath.toLowerCase()
  return [...projects.values()].find(({ fullPath }) => fullPath.toLowerCase() === path)
}

/** Returns the environment of this name, whatever its state. */
export function findEnvironment(
  { environments }: GitlabProject,
  name: string,
): GitlabEnvironment | undefined {
  return [...environments.values()].find((environment) => environment.name === name)
}
