import { hostDeploymentStates } from '@signalbox/contract'
import type { CodehostPage, CodehostPerson, CodehostRepository } from './repository.ts'

/** Lists the states that hosts report; any other text is kept as `unknown` and changes nothing. */
export const reportedStates = [...hostDeploymentStates, 'inactive', 'unknown'] as const

export type ReportedState = (typeof reportedStates)[number]

/** Describes a deployment as the code host has it. */
export interface CodehostDeployment {
  readonly externalId: string
  readonly sha: string
  readonly ref: string
  readonly task: string
  readonly environment: string
  readonly description: string | null
  readonly creator: CodehostPerson | null
  /** Text in which issue keys may stand. */
  readonly payloadText: string
  readonly isTransient: boolean
  readonly createdAt: Date
  /** From the run that made it, where the host says so. */
  readonly headBranch: string | null
  readonly headCommitMessage: string | null
  /** The workflow whose run made it, where the host says so. */
  readonly workflowId: string | null
  /** The run that made it, where the host says so. Other jobs of the run may deploy the same with it. */
  readonly run: DeployingRun | null
}

/** Describes the run whose job made a deployment. */
export interface DeployingRun {
  /** With the attempt, where the host counts them: a run that is started again deploys anew. Example: `4711/1`. */
  readonly id: string
  /** The name of the job, where the host says it. */
  readonly job: string | null
}

/** Describes a status of a deployment. */
export interface CodehostStatus {
  /** Grows with time, so it orders reports that arrive shuffled. Digits; see `orderByRank` for a host that counts nothing. */
  readonly externalId: string
  readonly state: ReportedState
  /** A status may move its deployment to another environment. */
  readonly environment: string | null
  readonly description: string | null
  readonly environmentUrl: string | null
  readonly logUrl: string | null
  readonly at: Date
}

/**
 * Returns the number of a status whose host counts none: how far the state is (0 to 7), then when it was reached. A state that is
 * reached once needs no time. Example: rank 3 at the epoch is `52776558133248`.
 */
export function orderByRank(rank: number, at: Date = new Date(0)): string {
  return ((BigInt(rank) << 44n) | BigInt(at.getTime())).toString()
}

/** Describes a deployment as its host has it at the moment, with the statuses that led there, oldest first. */
export interface CodehostDeploymentNow {
  readonly repository: CodehostRepository
  readonly deployment: CodehostDeployment
  readonly statuses: readonly CodehostStatus[]
}

/** Reads the deployments of a host that has them. Repositories are named by their numbers. @throws {ProviderError} from each. */
export interface CodehostDeployments {
  listEnvironments(
    repositoryId: string,
    page?: string,
  ): Promise<CodehostPage<{ readonly name: string }>>
  /** Newest first; with `changedSince`, what changed since then, where the host can be asked that. */
  list(
    repositoryId: string,
    page?: string,
    changedSince?: Date,
  ): Promise<CodehostPage<CodehostDeployment>>
  /** Counts them by one small call; `undefined` where the host does not say. */
  count(repositoryId: string): Promise<number | undefined>
  /** Reads a deployment; `undefined` where it is gone. Left out: its events say everything. */
  readonly read?: (
    repositoryId: string,
    deploymentId: string,
  ) => Promise<CodehostDeploymentNow | undefined>
  /** Newest first, a hundred at most. */
  listStatuses(repositoryId: string, deploymentId: string): Promise<readonly CodehostStatus[]>
}
