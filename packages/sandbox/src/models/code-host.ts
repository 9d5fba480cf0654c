import type { DeliveryFaults } from './hook-sender.ts'

/** Names the state of a deployment of the stage, in the words of no provider. `waiting`: it does not exist yet. */
export type StagedState = 'waiting' | 'queued' | 'pending' | 'in_progress' | 'success' | 'failure'

/** Names a state that a pipeline reports of its deployment. */
export type ReportedState = Exclude<StagedState, 'waiting'>

/** Names the end of a deployment or of a run of tests. */
export type StagedEnd = 'success' | 'failure'

/** Describes a commit to make. */
export interface StagedCommit {
  readonly message: string
  /** Lists paths. */
  readonly modified: readonly string[]
}

/** Describes a deployment to make. */
export interface DeploymentOrder {
  /** Names the branch. */
  readonly ref: string
  readonly sha: string
  /** Says whether a push set it off. A rollback is started by a person. */
  readonly isPushed: boolean
  readonly environment: string
  /** Holds the address of the deployed application. */
  readonly environmentUrl: string
  /** Reports a state to the product, for hosts without deployments, whose pipelines do that. Left out: nobody reports. */
  readonly report?: ((state: ReportedState) => void) | undefined
}

/** Describes a deployment that succeeded before the story begins. */
export interface PastDeployment {
  readonly environment: string
  readonly sha: string
  readonly message: string
}

/** Makes one deployment at a code host, step by step. The stage waits between the steps. */
export interface StagedDeployment {
  /** Returns the id at the host. `undefined` until it exists. */
  id(): number | undefined
  state(): StagedState
  requestRun(): void
  startRun(): void
  create(): void
  setState(state: Exclude<StagedState, 'waiting' | 'queued'>, description: string): void
  finishRun(end: StagedEnd): void
}

/** Describes one attempt of a run of tests that the product has started. */
export interface StagedTests {
  /** Holds the commit to test. */
  readonly sha: string
  /** Begins at 1, also where the host counts no attempts. */
  readonly attempt: number
  /** Holds the input that the product gave it. */
  readonly testRunId: string
  /** Holds the input that says which version of the configuration is tested. `undefined`: none, and only the commit is. */
  readonly configVersion: string | undefined
  /** Returns the token that its job identifies itself with. `undefined`: the host makes the report, and nothing is uploaded. */
  readonly issueToken: ((audience: string) => string) | undefined
  /** Runs the tests once more. */
  rerun(): void
}

/** Describes a test and its result. */
export interface StagedCase {
  readonly name: string
  readonly seconds: number
  /** Holds the message of a failure. `undefined`: it passed. */
  readonly failure: string | undefined
}

/** Describes the course of a run of tests. */
export interface TestCourse {
  /** Holds how it ends. The last step may change it. */
  readonly end: StagedEnd
  readonly durationMs: number
  /** Lists the tests. The last step may change them. */
  readonly cases: readonly StagedCase[]
  /** Runs the last step of its job, such as an upload. */
  readonly lastStep: () => Promise<void>
  readonly afterwards: () => void
}

/** Describes an issue of the shop. */
export interface StagedIssue {
  /** Counts within the shop. */
  readonly number: number
  readonly title: string
  /** Holds the address of its page. */
  readonly url: string
}

/** Describes what a person proposes. */
export interface StagedProposal {
  readonly branch: string
  readonly title: string
}

/** Describes a pretended code host as the stage uses it: with one repository, `acme/shop`, and two releases in it. */
export interface CodeHost {
  /** Lists the issues of the shop, oldest first. */
  issues(): readonly StagedIssue[]
  /** Opens an issue in the shop. */
  openIssue(title: string): void
  /** Example: `github`. */
  readonly name: string
  /** Example: `GitHub`. */
  readonly title: string
  /** Names what runs its pipelines. Example: `GitHub Actions`. */
  readonly runner: string
  /** Says whether a product has access to it. */
  isConnected(): boolean
  /** Opens the shop, or does nothing if it is open. `course` sets the course of tests that the product starts. */
  open(course: (tests: StagedTests) => TestCourse): void
  /** Makes commits on a branch, or moves it to an existing one. Returns its newest commit. */
  push(
    branch: string,
    change: { readonly commits: readonly StagedCommit[] } | { readonly to: string },
  ): string
  /** Proposes a branch of one commit. */
  propose(proposal: StagedProposal): { readonly number: number; readonly sha: string }
  /** Returns the newest ancestor of what is live in the environment that was live there before, or else its parent. */
  findOlder(environment: string): string
  /** Returns what is live in an environment. `undefined`: nothing. */
  findLive(environment: string): { readonly sha: string; readonly message: string } | undefined
  begin(order: DeploymentOrder): StagedDeployment
  /** Lists the deployments of its releases, oldest first. Left out: it has deployments itself, and a product fetches them. */
  readonly releases?: () => readonly PastDeployment[]
  /** Loses, repeats and shuffles its webhooks. */
  readonly faults: DeliveryFaults
  /** Sends the last webhook again, as a person does on its pages. Does nothing when there is none. */
  sendLastAgain(): void
}
