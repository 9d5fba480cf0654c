import type { CodehostDeployment, CodehostStatus } from './deployment.ts'
import type { CodehostRepository } from './repository.ts'
import type { CodehostPullRequest } from './pull-request.ts'
import type { CodehostRun } from './run.ts'
import type { CodehostWait } from './wait.ts'

/** Describes one thing that a code host tells us. */
export type CodehostEvent =
  | {
      readonly type: 'deployment'
      readonly repository: CodehostRepository
      readonly deployment: CodehostDeployment
    }
  | {
      readonly type: 'deploymentStatus'
      readonly repository: CodehostRepository
      readonly deployment: CodehostDeployment
      readonly status: CodehostStatus
    }
  /** Something happened to a deployment: what it is now is read from the host. */
  | {
      readonly type: 'deploymentHint'
      readonly repositoryId: string
      readonly deploymentId: string
    }
  | {
      readonly type: 'pullRequest'
      readonly repository: CodehostRepository
      readonly pullRequest: CodehostPullRequest
    }
  /** A run waits before it deploys, until it has an answer. */
  | {
      readonly type: 'deploymentWaits'
      readonly repository: CodehostRepository
      readonly wait: CodehostWait
    }
  | { readonly type: 'run'; readonly repository: CodehostRepository; readonly run: CodehostRun }
  | {
      readonly type: 'push'
      readonly repository: CodehostRepository
      readonly ref: string
      readonly after: string
      readonly isDeleted: boolean
    }
  | {
      readonly type: 'access'
      readonly change:
        | 'created'
        | 'deleted'
        | 'suspended'
        | 'unsuspended'
        | 'permissions'
        | 'repositories'
      readonly accountId: string
    }
  | { readonly type: 'authorizationRevoked'; readonly login: string }
  | { readonly type: 'ping' }
  /** Nothing of ours. `reason` is shown to people. */
  | { readonly type: 'ignored'; readonly reason: string }
