import type { Sandbox } from '../sandbox.ts'
import { stateOf, type Push } from '../stage/push.ts'
import type { PipelineVariables } from '../stage/send-report.ts'
import { participants, presentParticipant } from './participants.ts'
import { settings } from './switches.ts'

/** Returns the body of `GET /control`: the addresses, the time, the apps' credentials and what was set up. */
export function presentSandbox(sandbox: Sandbox) {
  const { origin, addresses, clock, faults, log, stage, github, slack } = sandbox
  return {
    origin,
    addresses,
    now: clock.now().toISOString(),
    apps: presentApps(sandbox),
    participants: participants.map((participant) => presentParticipant(sandbox, participant)),
    pipelines: stage.variables === undefined ? null : presentVariables(stage.variables),
    installations: [...github.state.installations.values()].map(({ id, account }) => ({
      id,
      account: account.login,
    })),
    channels: slack.channels().map(({ id, name }) => ({
      id,
      name,
      url: channelUrl(sandbox, id),
      messages: slack.messages(name).length,
    })),
    settings: Object.fromEntries(settings.map(({ name, isOn }) => [name, isOn(sandbox)])),
    faults: faults.list(),
    codeHosts: stage.hosts().map(({ name }) => name),
    pushes: stage.pushes().map(presentPush),
    requests: log.list().length,
  }
}

/** Leaves the key out: it opens the product, which is no part of this sandbox. */
function presentVariables({ url, organization }: PipelineVariables) {
  return { url, organization }
}

/** Returns the credentials that the product is configured with. The secrets open nothing but this sandbox. */
function presentApps({ discord, forgejo, github, gitlab, jira, linear, slack }: Sandbox) {
  const { id, slug, clientId, clientSecret, privateKey } = github.app
  const { webhookSecret, callbackUrls, webhookUrl = null } = github.app
  const keys = { clientId, clientSecret, privateKey, webhookSecret }
  const { signingSecret, eventsUrl = null } = slack.app
  return {
    github: { id, slug, ...keys, callbackUrls, webhookUrl },
    gitlab: {
      clientId: gitlab.app.clientId,
      clientSecret: gitlab.app.clientSecret,
      redirectUris: gitlab.app.redirectUris,
    },
    forgejo: {
      clientId: forgejo.app.clientId,
      clientSecret: forgejo.app.clientSecret,
      redirectUris: forgejo.app.redirectUris,
    },
    jira: { ...jira.app },
    linear: { ...linear.app, webhookUrl: linear.app.webhookUrl ?? null },
    slack: {
      clientId: slack.app.clientId,
      clientSecret: slack.app.clientSecret,
      signingSecret,
      redirectUris: slack.app.redirectUris,
      eventsUrl,
    },
    discord: {
      clientId: discord.app.id,
      clientSecret: discord.app.clientSecret,
      botToken: discord.app.botToken,
      publicKey: discord.app.publicKey,
      redirectUris: discord.app.redirectUris,
      eventsUrl: discord.app.eventsUrl ?? null,
    },
  }
}

/** Returns a push as the control routes show it. */
export function presentPush(push: Push) {
  const { id, host, scenario, at, ref, sha, environment, messages, deployment, tests, report } =
    push
  const deploymentId = deployment.id()
  return {
    id,
    host,
    scenario,
    at: at.toISOString(),
    ref,
    sha,
    environment,
    messages,
    state: stateOf(push),
    deployment: deploymentId === undefined ? null : { id: deploymentId },
    tests,
    report: report ?? null,
  }
}

function channelUrl({ origin }: Pick<Sandbox, 'origin'>, id: string): string {
  return `${origin}/slack/channels/${id}`
}
