import type { Clock } from './clock.ts'
import type { Discord } from './discord/discord.ts'
import type { Forgejo } from './forgejo/forgejo.ts'
import type { Github } from './github/github.ts'
import type { Gitlab } from './gitlab/gitlab.ts'
import type { Faults } from './http/faults.ts'
import type { RequestLog } from './http/request-log.ts'
import type { Jira } from './jira/jira.ts'
import type { Linear } from './linear/linear.ts'
import type { Mattermost } from './mattermost/mattermost.ts'
import type { Scheduler } from './scheduler.ts'
import type { Slack } from './slack/slack.ts'
import type { Stage } from './stage/create-stage.ts'
import type { Vercel } from './vercel/vercel.ts'

/** Lists the addresses that replace those of the real providers in the product's settings. */
export interface SandboxAddresses {
  readonly githubWeb: string
  readonly githubApi: string
  /** Holds the address of the GitLab instance, with its path. */
  readonly gitlab: string
  /** Holds the address of the Forgejo instance, with its path. */
  readonly forgejo: string
  readonly jiraAuth: string
  readonly jiraApi: string
  readonly linearWeb: string
  readonly linearApi: string
  /** Holds the address of the Mattermost server, with its path. */
  readonly mattermost: string
  readonly discordWeb: string
  /** Holds the address of the API without its version. */
  readonly discordApi: string
  readonly slackWeb: string
  readonly slackApi: string
  readonly vercelApi: string
  /** Holds the issuer of pipelines' tokens, at the path that a GitHub Enterprise Server uses. */
  readonly githubIssuer: string
}

/** Describes the pretended providers at one address of this machine, with everything in memory. */
export interface Sandbox {
  /** Example: `http://127.0.0.1:4500`. */
  readonly origin: string
  readonly addresses: SandboxAddresses
  readonly clock: Clock
  readonly faults: Faults
  readonly log: RequestLog
  readonly github: Github
  readonly gitlab: Gitlab
  readonly forgejo: Forgejo
  readonly jira: Jira
  readonly linear: Linear
  readonly mattermost: Mattermost
  readonly discord: Discord
  readonly slack: Slack
  readonly vercel: Vercel
  /** Runs the steps that happen after a delay. */
  readonly scheduler: Scheduler
  /** Plays a company that pushes, deploys and tests. */
  readonly stage: Stage
  /** Lists the providers that take part in the story, which the push page links to. They stay with a reset. */
  participants: readonly string[]
  /** Returns the settings with which the product uses these providers, by the names of environment variables. */
  settingsOf(names: readonly string[]): Readonly<Record<string, string>>
  /** Enters the addresses of the product, which answers at `service`, at these providers, as an operator does once. */
  register(service: string, names: readonly string[]): Promise<void>
  /** Restores the seed, the real time, and empty lists of faults and requests. */
  reset(): void
  close(): Promise<void>
}
