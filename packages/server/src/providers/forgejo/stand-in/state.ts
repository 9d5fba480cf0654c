import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { Commit, GitRepository } from '../../../../../sandbox/src/models/git.ts'
import type { AutoCourse } from '../../../../../sandbox/src/models/run-to-its-end.ts'

/** Describes a person. */
export interface ForgejoUser {
  readonly id: number
  readonly login: string
  readonly fullName: string
  readonly email: string
}

/** Lists the rights to a repository, each including those before it. */
export const accessModes = ['read', 'write', 'admin'] as const
/** Names a right to a repository. */
export type ForgejoAccess = (typeof accessModes)[number]

export type ForgejoCommit = Commit<ForgejoUser>

/** Describes an input that a workflow declares under `workflow_dispatch`. */
export interface ForgejoInput {
  readonly name: string
  readonly description?: string
  readonly isRequired?: boolean
  readonly default?: string
}

/** Describes a workflow. Its file is written from this. */
export interface ForgejoWorkflow {
  /** Names its file. Example: `e2e.yml`. */
  readonly file: string
  readonly name: string
  /** Holds `run-name`, in which `${{ inputs.x }}` is replaced. */
  readonly runName?: string
  /** Lists its inputs. `undefined`: it cannot be started on request. */
  readonly inputs: readonly ForgejoInput[] | undefined
}

/** Names the state of a run. */
export type ForgejoRunStatus =
  | 'waiting'
  | 'running'
  | 'success'
  | 'failure'
  | 'cancelled'
  | 'skipped'

/** Describes a run of a workflow. One that is started again keeps its id. */
export interface ForgejoRun {
  readonly id: number
  /** Counts the runs of its repository. */
  readonly index: number
  readonly title: string
  readonly workflowId: string
  /** Names a branch or tag. */
  readonly ref: string
  readonly sha: string
  readonly event: 'push' | 'workflow_dispatch'
  readonly inputs: Readonly<Record<string, string>>
  readonly user: ForgejoUser
  status: ForgejoRunStatus
  attempt: number
  readonly createdAt: Date
  updatedAt: Date
  startedAt: Date | undefined
  stoppedAt: Date | undefined
}

/** Describes the course of a run that the product starts. */
export type ForgejoAutoRun = AutoCourse & {
  readonly status: Extract<ForgejoRunStatus, 'success' | 'failure'>
}

/** Describes an issue, or a pull request, which has a number of the same row. */
export interface ForgejoIssue {
  readonly id: number
  readonly number: number
  title: string
  readonly author: ForgejoUser
  assignee: ForgejoUser | undefined
  readonly isPull: boolean
  state: 'open' | 'closed'
  readonly createdAt: Date
  updatedAt: Date
}

/** Describes what a pull request proposes. Its number, title and state are those of its issue. */
export interface ForgejoPull {
  readonly issue: ForgejoIssue
  readonly branch: string
  /** Holds the repository of its branch: another one for a fork. `undefined`: the fork is gone. */
  from: ForgejoRepository | undefined
  readonly base: string
  headSha: string
  isMerged: boolean
}

/** Describes a status of a commit. The newest of a context counts. */
export interface ForgejoCommitStatus {
  readonly id: number
  readonly sha: string
  readonly context: string
  readonly state: 'pending' | 'success' | 'error' | 'failure' | 'warning'
  readonly description: string
  readonly targetUrl: string
  readonly creator: ForgejoUser
  readonly createdAt: Date
}

/** Describes a webhook of a repository. */
export interface ForgejoHook {
  readonly id: number
  readonly type: string
  readonly url: string
  readonly contentType: string
  /** Nobody can read it back, and nobody can change it. */
  readonly secret: string
  events: readonly string[]
  active: boolean
  readonly createdAt: Date
  updatedAt: Date
  /** Lists the statuses of what was sent, oldest first. The API does not show them. */
  readonly delivered: number[]
}

/** Describes a repository with everything in it. */
export interface ForgejoRepository extends GitRepository<ForgejoUser> {
  readonly id: number
  /** Example: `acme/shop`. */
  fullName: string
  /** Lists the names that it had. Each redirects until another repository takes it. */
  readonly formerNames: string[]
  readonly isPrivate: boolean
  isArchived: boolean
  readonly createdAt: Date
  /** Maps the ids of people to their rights. */
  readonly members: Map<number, ForgejoAccess>
  /** Holds the folder of the workflows. Example: `.forgejo/workflows`. */
  workflowFolder: string
  /** Maps names of files to workflows, the same on every branch. */
  readonly workflows: Map<string, ForgejoWorkflow>
  /** Sets the course of runs that are started through the API. `undefined`: they wait for a test. */
  autoRun: ((run: ForgejoRun) => ForgejoAutoRun | undefined) | undefined
  readonly runs: Map<number, ForgejoRun>
  /** Maps numbers to issues and pull requests. */
  readonly issues: Map<number, ForgejoIssue>
  /** Holds those pull requests that propose commits, by number. */
  readonly pulls: Map<number, ForgejoPull>
  /** Oldest first. */
  readonly commitStatuses: ForgejoCommitStatus[]
  readonly hooks: Map<number, ForgejoHook>
}

/** Describes an application of OAuth. */
export interface ForgejoApplication {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  redirectUris: readonly string[]
}

/** Describes settings of the instance. They return to their defaults with a reset. */
export interface ForgejoSettings {
  /** Names the product. Gitea shows runs in another form, and sends other events. */
  product: 'forgejo' | 'gitea'
  /** Says whether each use of a refresh token ends it. Gitea's default is no. */
  invalidatesRefreshTokens: boolean
  /** Says whether a dispatch names its run when it is asked to. Older versions answer 204. */
  namesRuns: boolean
  /** Says whether runs can be read. Older versions answer 404. */
  hasRuns: boolean
  /** Allows webhooks to this machine. A real instance makes them, and sends nothing, unless `ALLOWED_HOST_LIST` has it. */
  allowsLocalHooks: boolean
  /** Limits the items of a page. */
  pageItemsMax: number
}

/** Holds everything that the pretended instance knows. */
export interface ForgejoState {
  readonly clock: Clock
  /** Holds the address of the instance, for links. Example: `http://127.0.0.1:4500/forgejo`. */
  baseUrl: string
  readonly settings: ForgejoSettings
  readonly application: ForgejoApplication
  /** By login. */
  readonly users: Map<string, ForgejoUser>
  /** By id. */
  readonly repositories: Map<number, ForgejoRepository>
  /** Returns the next id. Ids of every kind grow with time. */
  readonly nextId: () => number
}

/** Returns the settings of a new Forgejo. */
export function defaultSettings(): ForgejoSettings {
  return {
    product: 'forgejo',
    invalidatesRefreshTokens: true,
    namesRuns: true,
    hasRuns: true,
    allowsLocalHooks: true,
    pageItemsMax: 50,
  }
}

/** Returns the version as the API shows it. */
export function versionOf({ settings }: Pick<ForgejoState, 'settings'>): string {
  return settings.product === 'gitea' ? '1.25.2' : '13.0.2+gitea-1.22.0'
}

/** Creates an empty instance with this application. */
export function createForgejoState(clock: Clock, application: ForgejoApplication): ForgejoState {
  let id = 7_000
  return {
    clock,
    baseUrl: '',
    settings: defaultSettings(),
    application,
    users: new Map(),
    repositories: new Map(),
    nextId: () => (id += 1),
  }
}

/** Returns the repository of this name. Upper and lower case are the same. `undefined`: there is none, or it had the name before. */
export function findRepository(
  { repositories }: ForgejoState,
  fullName: string,
): ForgejoRepository | undefined {
  const name = fullName.toLowerCase()
  return [...repositories.values()].find((one) => one.fullName.toLowerCase() === name)
}

/** Returns the repository that had this name before. */
export function findRenamed(
  { repositories }: ForgejoState,
  fullName: string,
): ForgejoRepository | undefined {
  const name = fullName.toLowerCase()
  return [...repositories.values()].find(({ formerNames }) =>
    formerNames.some((former) => former.toLowerCase() === name),
  )
}
