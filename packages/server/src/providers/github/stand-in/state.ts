import type { Clock } from '../../../../../sandbox/src/clock.ts'
import type { Commit, GitRepository } from '../../../../../sandbox/src/models/git.ts'
import type { AutoCourse } from '../../../../../sandbox/src/models/run-to-its-end.ts'
import type { ActionsVault } from './actions-vault.ts'

/** Describes a user or an organization. */
export interface GithubAccount {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly email: string
  readonly type: 'User' | 'Organization' | 'Bot'
}

export type GithubCommit = Commit<GithubAccount>

/** Describes an environment of a repository. */
export interface GithubEnvironment {
  readonly id: number
  readonly name: string
  readonly createdAt: Date
  updatedAt: Date
  /** Lists the apps whose deployment protection rule is enabled for it. */
  readonly protectedBy: Set<number>
  readonly vault: ActionsVault
}

/** Names the state of a deployment, as the REST API does. */
export type DeploymentState =
  | 'error'
  | 'failure'
  | 'inactive'
  | 'in_progress'
  | 'queued'
  | 'pending'
  | 'success'

export interface GithubDeploymentStatus {
  readonly id: number
  readonly state: DeploymentState
  readonly creator: GithubAccount
  readonly description: string
  readonly environment: string
  readonly environmentUrl: string
  readonly logUrl: string
  readonly createdAt: Date
}

/** Describes a deployment with its statuses. */
export interface GithubDeployment {
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly task: string
  readonly payload: string | Readonly<Record<string, unknown>>
  readonly originalEnvironment: string
  environment: string
  readonly description: string | null
  readonly creator: GithubAccount
  readonly transientEnvironment: boolean
  readonly productionEnvironment: boolean
  readonly createdAt: Date
  updatedAt: Date
  /** Oldest first. */
  readonly statuses: GithubDeploymentStatus[]
  /** The run of Actions that made it. */
  readonly runId: number | undefined
}

/** Names the state of a workflow, as the REST API does. */
export type WorkflowState =
  | 'active'
  | 'deleted'
  | 'disabled_fork'
  | 'disabled_inactivity'
  | 'disabled_manually'

/** Describes an input of a `workflow_dispatch` trigger. */
export interface GithubWorkflowInput {
  readonly name: string
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
  /** Default `string`. */
  readonly type?: 'string' | 'number' | 'boolean' | 'choice' | 'environment'
  readonly default?: string
  /** Lists the options of a choice. */
  readonly options?: readonly string[]
}

/** Describes a workflow of a repository. */
export interface GithubWorkflow {
  readonly id: number
  readonly name: string
  /** Example: `.github/workflows/e2e.yml`. */
  readonly path: string
  state: WorkflowState
  /** Lists the inputs of its `workflow_dispatch` trigger. `undefined`: it has no such trigger. */
  readonly inputs: readonly GithubWorkflowInput[] | undefined
  /** Holds its `run-name`, in which `${{ inputs.x }}` is replaced. Example: `E2E ${{ inputs.deployment }}`. */
  readonly runName: string | undefined
  /** Sets the course of its runs. `undefined`: they wait for a test. */
  autoRun: AutoRun | ((run: GithubRun) => AutoRun | undefined) | undefined
  readonly createdAt: Date
}

/** Describes the course of an automatic run. */
export type AutoRun = AutoCourse & { readonly conclusion: RunConclusion }

/** Names the status of a run, as the REST API does. */
export type RunStatus = 'waiting' | 'queued' | 'in_progress' | 'completed'
/** Names the conclusion of a run, as the REST API does. */
export type RunConclusion =
  | 'action_required'
  | 'cancelled'
  | 'failure'
  | 'neutral'
  | 'skipped'
  | 'stale'
  | 'success'
  | 'timed_out'
  | 'startup_failure'

/** Describes one attempt of a run. A rerun begins another. */
export interface GithubRunAttempt {
  readonly number: number
  /** Holds the account that started this attempt. The run's `actor` has started the first. */
  readonly triggeringActor: GithubAccount
  status: RunStatus
  conclusion: RunConclusion | null
  startedAt: Date
  updatedAt: Date
}

/** Describes a run of a workflow with its attempts. */
export interface GithubRun {
  readonly id: number
  readonly workflowId: number
  readonly runNumber: number
  readonly event: 'workflow_dispatch' | 'push' | 'pull_request' | 'pull_request_target'
  /** Holds the pull request that it is of. */
  readonly pullRequest: GithubPullRequest | undefined
  readonly headBranch: string
  readonly headSha: string
  readonly displayTitle: string
  readonly inputs: Readonly<Record<string, string>>
  readonly actor: GithubAccount
  readonly createdAt: Date
  /** Lists the attempts in order, at least one. The last one determines the status of the run. */
  readonly attempts: [GithubRunAttempt, ...GithubRunAttempt[]]
}

/** Describes a pull request that proposes commits. */
export interface GithubPullRequest {
  readonly id: number
  readonly number: number
  title: string
  readonly author: GithubAccount
  /** Names the branch that it is for. */
  readonly base: string
  /** Holds the repository of its branch: another one for a fork. `undefined`: the fork is gone. */
  from: GithubRepository | undefined
  readonly branch: string
  headSha: string
  /** Holds the merge that GitHub makes to try it, of which its runs are; then the one that was made. */
  mergeSha: string
  state: 'open' | 'closed'
  readonly createdAt: Date
  updatedAt: Date
  closedAt: Date | undefined
  mergedAt: Date | undefined
}

/** Describes a check run of a commit. */
export interface GithubCheckRun {
  readonly id: number
  readonly appId: number
  readonly sha: string
  name: string
  externalId: string | null
  detailsUrl: string | null
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: CheckConclusion | null
  readonly startedAt: Date
  completedAt: Date | undefined
  title: string | null
  summary: string | null
  /** Each request adds to them. */
  readonly annotations: GithubAnnotation[]
}

export type CheckConclusion =
  | 'action_required'
  | 'cancelled'
  | 'failure'
  | 'neutral'
  | 'skipped'
  | 'success'
  | 'timed_out'

/** Describes a line of a file that a check run marks. */
export interface GithubAnnotation {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly level: 'notice' | 'warning' | 'failure'
  readonly message: string
}

/** Describes a status of a commit. The newest of a context counts. */
export interface GithubCommitStatus {
  readonly id: number
  readonly sha: string
  readonly context: string
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly description: string | null
  readonly targetUrl: string | null
  readonly creator: GithubAccount
  readonly createdAt: Date
}

/** Describes an attempt of a run that waits until an app has answered. */
export interface GithubWait {
  readonly appId: number
  readonly runId: number
  readonly attempt: number
  readonly environment: string
  readonly deploymentId: number
  /** Lists the status reports of the app. */
  readonly comments: string[]
  answer: { readonly state: 'approved' | 'rejected'; readonly comment: string } | undefined
}

/** Describes a comment on a pull request. GitHub's API treats pull requests as issues. */
export interface GithubComment {
  readonly id: number
  /** Holds the number of the pull request. */
  readonly number: number
  readonly author: GithubAccount
  body: string
  readonly createdAt: Date
  updatedAt: Date
}

/** Describes an issue. GitHub counts issues and pull requests of a repository together. */
export interface GithubIssue {
  readonly id: number
  readonly number: number
  title: string
  readonly author: GithubAccount
  assignee: GithubAccount | undefined
  state: 'open' | 'closed'
  /** Says why it was closed or opened again, as GraphQL does in capitals. */
  stateReason: 'completed' | 'not_planned' | 'duplicate' | 'reopened' | null
  readonly createdAt: Date
  updatedAt: Date
  closedAt: Date | undefined
}

/** Describes a number that an issue has left: transferred to another repository, or deleted. */
export type GithubFormerIssue =
  | { readonly transferredTo: { readonly repositoryId: number; readonly number: number } }
  | 'deleted'

/** Describes a repository with everything in it. */
export interface GithubRepository extends GitRepository<GithubAccount> {
  readonly id: number
  name: string
  readonly owner: GithubAccount
  readonly private: boolean
  readonly createdAt: Date
  pushedAt: Date
  /** By name in lower case. */
  readonly environments: Map<string, GithubEnvironment>
  readonly deployments: Map<number, GithubDeployment>
  readonly workflows: Map<number, GithubWorkflow>
  readonly runs: Map<number, GithubRun>
  /** By number. */
  readonly issues: Map<number, GithubIssue>
  /** By the number that each had. */
  readonly formerIssues: Map<number, GithubFormerIssue>
  /** Lists the numbers of its pull requests. */
  readonly pullRequests: Set<number>
  /** Holds those pull requests that propose commits, by number. */
  readonly proposals: Map<number, GithubPullRequest>
  readonly checkRuns: Map<number, GithubCheckRun>
  /** Oldest first. */
  readonly commitStatuses: GithubCommitStatus[]
  /** Oldest first. */
  readonly waits: GithubWait[]
  /** Oldest first. */
  readonly comments: Map<number, GithubComment>
  readonly vault: ActionsVault
}

/** Describes a GitHub App. One stands for the product from the start; others are registered by manifest. */
export interface GithubApp {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly description: string | null
  /** Holds the address of its home page. */
  readonly externalUrl: string
  readonly owner: GithubAccount
  /** Says whether others can install it. A private app can be installed on its owner's account alone. */
  readonly isPublic: boolean
  readonly clientId: string
  readonly clientSecret: string
  /** Holds both halves in PEM. The public half verifies the app's own tokens (RS256). */
  readonly privateKey: string
  readonly publicKey: string
  /** Lists the exact addresses that an authorization may return to. The first is the default. */
  callbackUrls: readonly string[]
  /** Holds the address that an installation returns to, unless it returns to the first callback with a code. */
  setupUrl: string | undefined
  /** GitHub's "Request user authorization (OAuth) during installation". */
  requestsUserOnInstall: boolean
  /** GitHub's "Redirect on update". */
  redirectsOnUpdate: boolean
  readonly hookId: number
  /** Holds the secret of its webhook. Empty: deliveries are not signed. */
  webhookSecret: string
  /** Holds the address of the webhook. `undefined`: the webhook is not active, so nothing is sent or listed as a delivery. */
  webhookUrl: string | undefined
  webhookContentType: 'json' | 'form'
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>
  readonly events: readonly string[]
  readonly createdAt: Date
  updatedAt: Date
}

/** Describes an installation of an app. */
export interface GithubInstallation {
  readonly id: number
  readonly appId: number
  readonly account: GithubAccount
  /** Holds `all`, or the ids of the selected repositories. */
  repositories: 'all' | ReadonlySet<number>
  permissions: Readonly<Record<string, 'read' | 'write'>>
  readonly createdAt: Date
  updatedAt: Date
  suspendedAt: Date | undefined
}

/** Holds everything that the pretended GitHub knows. */
export interface GithubState {
  readonly clock: Clock
  /** Holds the sandbox's own address, for links in webhooks. Empty until the sandbox listens. */
  origin: string
  /** By login. */
  readonly accounts: Map<string, GithubAccount>
  /** Maps an organization's login to the logins of its owners, who reach all of its repositories. */
  readonly owners: Map<string, ReadonlySet<string>>
  /** By id. */
  readonly apps: Map<number, GithubApp>
  readonly installations: Map<number, GithubInstallation>
  /** By id; names change. */
  readonly repositories: Map<number, GithubRepository>
  /** Maps a repository's former `owner/name` in lower case to its id. GitHub keeps answering there after a rename. */
  readonly formerNames: Map<string, number>
  /** Returns the next id. Ids of every kind grow with time, as GitHub's do. */
  readonly nextId: () => number
}

/** Creates an empty GitHub. */
export function createGithubState(clock: Clock): GithubState {
  let id = 1_000_000
  return {
    clock,
    origin: '',
    accounts: new Map(),
    owners: new Map(),
    apps: new Map(),
    installations: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    nextId: () => (id += 1),
  }
}

/** Returns the account of this login. Upper and lower case are the same. */
export function findAccount({ accounts }: GithubState, login: string): GithubAccount | undefined {
  const lowerCaseLogin = login.toLowerCase()
  return [...accounts.values()].find(({ login }) => login.toLowerCase() === lowerCaseLogin)
}

/** Returns the repository of this owner and name. Upper and lower case are the same. */
export function findRepository(
  { repositories }: GithubState,
  owner: string,
  name: string,
): GithubRepository | undefined {
  const lowerCaseName = `${owner}/${name}`.toLowerCase()
  return [...repositories.values()].find(
    (repository) => `${repository.owner.login}/${repository.name}`.toLowerCase() === lowerCaseName,
  )
}

/** Returns the app of this client id. */
export function findClient({ apps }: GithubState, clientId: string): GithubApp | undefined {
  return [...apps.values()].find((app) => app.clientId === clientId)
}
