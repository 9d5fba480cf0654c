import type { Clock } from './clock.ts'
import type { Github } from './github/github.ts'
import type { Faults } from './http/faults.ts'
import type { RequestLog } from './http/request-log.ts'
import type { Jira } from './jira/jira.ts'
import type { Scheduler } from './scheduler.ts'
import type { Slack } from './slack/slack.ts'
import type { Stage } from './stage/create-stage.ts'

/** Where the product is to find each provider, in the place of the real addresses. */
export interface SandboxAddresses {
  readonly githubWeb: string
  readonly githubApi: string
  readonly jiraAuth: string
  readonly jiraApi: string
  readonly slackWeb: string
  readonly slackApi: string
  /** Names who issues the tokens of pipelines: at the place that a GitHub Enterprise Server has for it. */
  readonly githubIssuer: string
}

/** Pretend GitHub, Jira Cloud and Slack at one address of this machine, with everything in memory. */
export interface Sandbox {
  /** Example: `http://127.0.0.1:4500`. */
  readonly origin: string
  readonly addresses: SandboxAddresses
  readonly clock: Clock
  readonly faults: Faults
  readonly log: RequestLog
  readonly github: Github
  readonly jira: Jira
  readonly slack: Slack
  /** Holds what goes on by itself. */
  readonly scheduler: Scheduler
  /** A company that pushes, deploys and tests. */
  readonly stage: Stage
  /** As it was at the start: also the time, the faults and the log. */
  reset(): void
  close(): Promise<void>
}
