import { createClock } from './clock.ts'
import { createControlRoutes } from './control/control-routes.ts'
import { createDiscord } from './discord/discord.ts'
import { createForgejo, forgejoPath } from './forgejo/forgejo.ts'
import { createGithub } from './github/github.ts'
import { issuerPath } from './github/pipeline-identity.ts'
import { createGitlab, gitlabPath } from './gitlab/gitlab.ts'
import { register, settingsOf, usualParticipants } from './control/participants.ts'
import { createFaults } from './http/faults.ts'
import { createRequestLog } from './http/request-log.ts'
import { serve } from './http/serve.ts'
import { createJira } from './jira/jira.ts'
import { createLinear } from './linear/linear.ts'
import { createMattermost, mattermostPath } from './mattermost/mattermost.ts'
import { createPushPage } from './push-page/create-push-page.ts'
import type { Sandbox, SandboxAddresses } from './sandbox.ts'
import { createScheduler } from './scheduler.ts'
import { createSlack } from './slack/slack.ts'
import { createStage } from './stage/create-stage.ts'
import { createVercel } from './vercel/vercel.ts'

/** Describes where the sandbox listens. */
export interface SandboxOptions {
  /** Holds the host. Default 127.0.0.1, because the sandbox admits everybody who reaches it. */
  readonly host?: string
  /** Holds the port. Default 0: any free one. */
  readonly port?: number
  /** Holds the schema that the pretended Linear executes. Default: the part that it pretends. The test of our queries gives the published one. */
  readonly linearSchema?: string | undefined
}

/** Starts the sandbox, and resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, linearSchema } = options
  const clock = createClock()
  const faults = createFaults()
  const log = createRequestLog()
  const discord = createDiscord({ clock })
  const forgejo = createForgejo({ clock })
  const github = createGithub({ clock })
  const gitlab = createGitlab({ clock })
  const jira = createJira({ clock })
  const linear = createLinear({ clock, schema: linearSchema })
  const mattermost = createMattermost({ clock })
  const slack = createSlack({ clock })
  const vercel = createVercel({ clock })
  const scheduler = createScheduler(clock)
  const stage = createStage({
    codeHosts: [github.codeHost, gitlab.codeHost, forgejo.codeHost],
    scheduler,
    clock,
    origin: () => sandbox.origin,
  })
  const providers = [discord, forgejo, github, gitlab, jira, linear, mattermost, slack, vercel]
  const own = [...createControlRoutes(() => sandbox), ...createPushPage(() => sandbox)]
  const serving = await serve({ host, port, providers, own, faults, log })
  const { origin } = serving
  github.state.origin = origin
  gitlab.state.baseUrl = `${origin}${gitlabPath}`
  forgejo.state.baseUrl = `${origin}${forgejoPath}`
  const sandbox: Sandbox = {
    origin,
    addresses: toAddresses(origin),
    clock,
    faults,
    log,
    github,
    gitlab,
    forgejo,
    jira,
    linear,
    mattermost,
    discord,
    slack,
    vercel,
    scheduler,
    stage,
    participants: usualParticipants().map(({ name }) => name),
    settingsOf: (names) => settingsOf(sandbox, names),
    register: (service, names) => register(sandbox, service, names),
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
    gitlab: `${origin}${gitlabPath}`,
    forgejo: `${origin}${forgejoPath}`,
    jiraAuth: `${origin}/atlassian/auth`,
    jiraApi: `${origin}/atlassian/api`,
    linearWeb: `${origin}/linear`,
    linearApi: `${origin}/linear/api`,
    mattermost: `${origin}${mattermostPath}`,
    discordWeb: `${origin}/discord`,
    discordApi: `${origin}/discord/api`,
    slackWeb: `${origin}/slack`,
    slackApi: `${origin}/slack/api`,
    vercelApi: `${origin}/vercel/api`,
  }
}
