import { createClock, type Clock } from './clock.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGithub, type Github } from './github/github.ts'
import { serve } from './http/serve.ts'
import { createJira, type Jira } from './jira/jira.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import { createSlack, type Slack } from './slack/slack.ts'

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
  const providers = [github, jira, slack]
  const serving = await serve({ host, port, providers, own: [], faults, log })
  const { origin } = serving
  github.state.origin = origin
  return {
    origin,
    addresses: {
      githubWeb: `${origin}/github`,
      githubApi: `${origin}/github/api`,
      jiraAuth: `${origin}/atlassian/auth`,
      jiraApi: `${origin}/atlassian/api`,
      slackWeb: `${origin}/slack`,
      slackApi: `${origin}/slack/api`,
    },
    clock,
    faults,
    log,
    github,
    jira,
    slack,
    reset() {
      for (const part of [clock, faults, log, ...providers]) part.reset()
    },
    close: () => serving.close(),
  }
}
