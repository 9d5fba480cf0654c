import { CliError } from '../terminal/cli-error.ts'

/** Describes the state of the sandbox below `/control`, as far as the demo uses it. */
export interface SandboxState {
  readonly origin: string
  readonly addresses: Readonly<
    Record<
      'githubWeb' | 'githubApi' | 'githubIssuer' | 'jiraAuth' | 'jiraApi' | 'slackWeb' | 'slackApi',
      string
    >
  >
  readonly apps: {
    readonly github: {
      readonly id: number
      readonly slug: string
      readonly clientId: string
      readonly clientSecret: string
      readonly privateKey: string
      readonly webhookSecret: string
    }
    readonly jira: { readonly clientId: string; readonly clientSecret: string }
    readonly slack: {
      readonly clientId: string
      readonly clientSecret: string
      readonly signingSecret: string
    }
  }
  readonly channels: readonly { readonly id: string; readonly name: string; readonly url: string }[]
}

/** Reads the state of the sandbox; throws a `CliError` when it does not answer. */
export async function readSandbox(origin: string): Promise<SandboxState> {
  const response = await fetch(`${origin}/control`)
  if (!response.ok) throw new CliError('failure', 'sandbox_refused', 'The sandbox does not answer.')
  // We have started this sandbox, so it is of the same version.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as SandboxState
}

/** Returns the settings with which the service uses the sandbox instead of the providers. */
export function settingsFor({ addresses, apps }: SandboxState): Readonly<Record<string, string>> {
  const { github, jira, slack } = apps
  return {
    SIGNALBOX_EGRESS_ALLOW: '127.0.0.1',
    SIGNALBOX_GITHUB_WEB_URL: addresses.githubWeb,
    SIGNALBOX_GITHUB_API_URL: addresses.githubApi,
    SIGNALBOX_GITHUB_APP_ID: String(github.id),
    SIGNALBOX_GITHUB_APP_SLUG: github.slug,
    SIGNALBOX_GITHUB_CLIENT_ID: github.clientId,
    SIGNALBOX_GITHUB_CLIENT_SECRET: github.clientSecret,
    SIGNALBOX_GITHUB_PRIVATE_KEY: github.privateKey,
    SIGNALBOX_GITHUB_WEBHOOK_SECRET: github.webhookSecret,
    SIGNALBOX_JIRA_AUTH_URL: addresses.jiraAuth,
    SIGNALBOX_JIRA_API_URL: addresses.jiraApi,
    SIGNALBOX_JIRA_CLIENT_ID: jira.clientId,
    SIGNALBOX_JIRA_CLIENT_SECRET: jira.clientSecret,
    SIGNALBOX_SLACK_WEB_URL: addresses.slackWeb,
    SIGNALBOX_SLACK_API_URL: addresses.slackApi,
    SIGNALBOX_SLACK_CLIENT_ID: slack.clientId,
    SIGNALBOX_SLACK_CLIENT_SECRET: slack.clientSecret,
    SIGNALBOX_SLACK_SIGNING_SECRET: slack.signingSecret,
  }
}

/** Enters the addresses of the service where its applications are registered, as a person does once at each provider. */
export async function registerAt(origin: string, service: string): Promise<void> {
  const callback = (kind: string) => [`${service}/integrations/${kind}/oauth/callback`]
  await post(`${origin}/control/apps`, {
    github: {
      callbackUrls: callback('codehost'),
      redirectsOnUpdate: true,
      webhookUrl: `${service}/webhooks/codehost`,
    },
    jira: { redirectUris: callback('tracker') },
    slack: { redirectUris: callback('chat'), eventsUrl: `${service}/webhooks/chat` },
  })
}

/** Lets the pretended pipelines report to the service. */
export async function setPipelines(
  origin: string,
  pipelines: { readonly url: string; readonly organization: string },
): Promise<void> {
  await post(`${origin}/control/apps`, { pipelines })
}

/** Takes the pretended person through the pages that begin at `url`. Returns the address to which their browser returns. */
export async function allow(origin: string, url: string, backTo: string): Promise<string> {
  const answer = await post(`${origin}/control/visits`, { url, backTo })
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return ((await answer.json()) as { readonly location: string }).location
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return response
  throw new CliError('failure', 'sandbox_refused', `The sandbox refused ${new URL(url).pathname}.`)
}
