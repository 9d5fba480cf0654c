import { createClock, type Clock } from './clock.ts'
import { createControlRoutes } from './control/control-routes.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGithub, type Github } from './github/github.ts'
import { issuerPath } from './github/pipeline-identity.ts'
import { serve } from './http/serve.ts'
import { createJira, type Jira } from './jira/jira.ts'
import { createPushPage } from './push-page/create-push-page.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { createSlack, type Slack } from './slack/slack.ts'
import { createStage, type Stage } from './stage/create-stage.ts'

export interface SandboxOptions {
  /** Default 127.0.0.1: the sandbox lets anybody in who reaches it. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
}

/** Where the product is to find each provider, in the place of the real addresses. */
export interface SandboxAddresses {
  readonly githubWeb: string
  readonly githubApi: string
  readonly jiraAuth: string
  readonly jiraApi: string
  readonly slackWeb: string
  readonly slackApi: string
  /** Who issues the tokens of pipelines: at the place that a GitHub Enterprise Server has for it. */
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
  /** What goes on by itself. */
  readonly scheduler: Scheduler
  /** A company that pushes, deploys and tests. */
  readonly stage: Stage
  /** As it was at the start: also the time, the faults and the log. */
  reset(): void
  close(): Promise<void>
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0 } = options
  const clock = createClock()
  const faults = createFaults()
  const log = createRequestLog()
  const github = createGithub({ clock })
  const jira = createJira({ clock })
  const slack = createSlack({ clock })
  const scheduler = createScheduler(clock)
  const stage = createStage({ github, scheduler })
  const providers = [github, jira, slack]
  const own = [...createControlRoutes(() => sandbox), ...createPushPage(() => sandbox)]
  const serving = await serve({ host, port, providers, own, faults, log })
  const { origin } = serving
  github.state.origin = origin
  const sandbox: Sandbox = {
    origin,
    addresses: toAddresses(origin),
    clock,
    faults,
    log,
    github,
    jira,
    slack,
    scheduler,
    stage,
    reset() {
      for (const part of [clock, faults, log, scheduler, ...providers, stage]) part.reset()
    },
    close() {
      scheduler.reset()
      return serving.close()
    },
  }
  return sandbox
}

function toAddresses(origin: string): SandboxAddresses {
  return {
    githubWeb: `${origin}/github`,
    githubApi: `${origin}/github/api`,
    githubIssuer: `${origin}/github${issuerPath}`,
    jiraAuth: `${origin}/atlassian/auth`,
    jiraApi: `${origin}/atlassian/api`,
    slackWeb: `${origin}/slack`,
    slackApi: `${origin}/slack/api`,
  }
}
