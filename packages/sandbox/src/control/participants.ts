import type { CodeHost } from '../models/code-host.ts'
import type { Sandbox } from '../sandbox.ts'

/** Holds the addresses of the product that a person enters where its application is registered. */
export interface ProductAddresses {
  readonly callbackUrl: string
  readonly webhookUrl: string
}

/** Describes a page to look at: a channel or an issue. */
export interface ParticipantPage {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly url: string
}

/** Describes how one provider takes part in the story of the stage. */
export interface Participant {
  readonly name: string
  /** Example: `GitHub`. */
  readonly title: string
  readonly kind: 'codehost' | 'tracker' | 'chat'
  /** Returns the settings with which the product uses this provider, by the names of environment variables. */
  readonly settings: (sandbox: Sandbox) => Readonly<Record<string, string>>
  /** Names the participant whose application it uses, and whose connection where that is connected. */
  readonly sharesWith?: string
  /** Enters the addresses of the product. Nothing is registered at some. */
  readonly register?: (sandbox: Sandbox, at: ProductAddresses) => unknown
  /** Returns the values of the product's form that connects it. Default: a person gives consent. */
  readonly form?: (sandbox: Sandbox) => Readonly<Record<string, string>>
  /** Returns the pages that the push page links to. */
  readonly pages?: (sandbox: Sandbox) => readonly ParticipantPage[]
  /** Lists the keys of the projects with the issues of the story. */
  readonly projectKeys?: readonly string[]
  /** Holds the product's id of what tests deployments. */
  readonly testWorkflow?: string
  /** Returns the id of the page of the channel that messages go to. */
  readonly channel?: (sandbox: Sandbox) => string
}

const client = (
  name: string,
  app: { readonly clientId: string; readonly clientSecret: string },
) => ({
  [`SIGNALBOX_${name}_CLIENT_ID`]: app.clientId,
  [`SIGNALBOX_${name}_CLIENT_SECRET`]: app.clientSecret,
})

const github = ({ addresses, github: { app } }: Sandbox) => ({
  SIGNALBOX_GITHUB_WEB_URL: addresses.githubWeb,
  SIGNALBOX_GITHUB_API_URL: addresses.githubApi,
  SIGNALBOX_GITHUB_APP_ID: String(app.id),
  SIGNALBOX_GITHUB_APP_SLUG: app.slug,
  ...client('GITHUB', app),
  SIGNALBOX_GITHUB_PRIVATE_KEY: app.privateKey,
  SIGNALBOX_GITHUB_WEBHOOK_SECRET: app.webhookSecret,
})

const gitlab = ({ addresses, gitlab: { app } }: Sandbox) => ({
  SIGNALBOX_GITLAB_URL: addresses.gitlab,
  ...client('GITLAB', app),
})

const forgejo = ({ addresses, forgejo: { app } }: Sandbox) => ({
  SIGNALBOX_FORGEJO_URL: addresses.forgejo,
  ...client('FORGEJO', app),
})

/** Describes the issues of a code host, with those of the story in the shop. */
function issuesOf(
  host: Pick<CodeHost, 'name' | 'title'>,
  settings: Participant['settings'],
): Participant {
  const hostIn = ({ stage }: Sandbox) => stage.codeHosts.find(({ name }) => name === host.name)
  return {
    name: `${host.name}-issues`,
    title: `${host.title} Issues`,
    kind: 'tracker',
    sharesWith: host.name,
    settings,
    pages: (sandbox) =>
      (hostIn(sandbox)?.issues() ?? []).map(({ number, title, url }) => ({
        id: `issue-${number}`,
        title: `#${number}`,
        note: title,
        url,
      })),
    projectKeys: ['acme/shop'],
  }
}

/** Lists who can take part: each pretended code host, issue tracker and chat is one entry. The first of a kind is usual. */
export const participants: readonly Participant[] = [
  {
    name: 'github',
    title: 'GitHub',
    kind: 'codehost',
    settings: github,
    register({ github: { app } }, { callbackUrl, webhookUrl }) {
      Object.assign(app, { callbackUrls: [callbackUrl], webhookUrl, redirectsOnUpdate: true })
    },
    testWorkflow: 'e2e.yml',
  },
  {
    name: 'gitlab',
    title: 'GitLab',
    kind: 'codehost',
    settings: gitlab,
    register({ gitlab: { app } }, { callbackUrl }) {
      app.redirectUris = [callbackUrl]
    },
    testWorkflow: 'pipeline',
  },
  {
    name: 'forgejo',
    title: 'Forgejo',
    kind: 'codehost',
    settings: forgejo,
    register({ forgejo: { app } }, { callbackUrl }) {
      app.redirectUris = [callbackUrl]
    },
    testWorkflow: 'e2e.yml',
  },
  {
    name: 'jira',
    title: 'Jira',
    kind: 'tracker',
    settings: ({ addresses, jira: { app } }) => ({
      SIGNALBOX_JIRA_AUTH_URL: addresses.jiraAuth,
      SIGNALBOX_JIRA_API_URL: addresses.jiraApi,
      ...client('JIRA', app),
    }),
    register({ jira: { app } }, { callbackUrl }) {
      app.redirectUris = [callbackUrl]
    },
    pages: ({ jira, origin }) =>
      [...jira.sites.acme.issues.values()]
        .filter(({ project }) => !project.hidden)
        .map(({ key, summary }) => ({
          id: `issue-${key}`,
          title: key,
          note: summary,
          url: `${origin}/atlassian/sites/acme/browse/${key}`,
        })),
    projectKeys: ['ABC', 'WEB2'],
  },
  {
    name: 'linear',
    title: 'Linear',
    kind: 'tracker',
    settings: ({ addresses, linear: { app } }) => ({
      SIGNALBOX_LINEAR_WEB_URL: addresses.linearWeb,
      SIGNALBOX_LINEAR_API_URL: addresses.linearApi,
      ...client('LINEAR', app),
      SIGNALBOX_LINEAR_WEBHOOK_SECRET: app.webhookSecret,
    }),
    register({ linear: { app } }, { callbackUrl, webhookUrl }) {
      Object.assign(app, { redirectUris: [callbackUrl], webhookUrl })
    },
    pages: ({ linear, addresses }) =>
      linear.issues().map(({ identifier, title }) => ({
        id: `issue-${identifier}`,
        title: identifier,
        note: title,
        url: `${addresses.linearWeb}/acme/issue/${identifier}`,
      })),
    projectKeys: ['ABC', 'WEB2'],
  },
  issuesOf({ name: 'github', title: 'GitHub' }, github),
  issuesOf({ name: 'gitlab', title: 'GitLab' }, gitlab),
  issuesOf({ name: 'forgejo', title: 'Forgejo' }, forgejo),
  {
    name: 'slack',
    title: 'Slack',
    kind: 'chat',
    settings: ({ addresses, slack: { app } }) => ({
      SIGNALBOX_SLACK_WEB_URL: addresses.slackWeb,
      SIGNALBOX_SLACK_API_URL: addresses.slackApi,
      ...client('SLACK', app),
      SIGNALBOX_SLACK_SIGNING_SECRET: app.signingSecret,
    }),
    async register({ slack }, { callbackUrl, webhookUrl }) {
      slack.app.redirectUris = [callbackUrl]
      await slack.setEventsUrl(webhookUrl)
    },
    pages: ({ slack, origin }) =>
      slack.channels().map(({ id, name }) => ({
        id: `channel-${id}`,
        title: `# ${name}`,
        note: countOf(slack.messages(name).length),
        url: `${origin}/slack/channels/${id}`,
      })),
    channel: ({ slack }) => slack.channelId('deployments'),
  },
  {
    name: 'mattermost',
    title: 'Mattermost',
    kind: 'chat',
    settings: ({ addresses }) => ({ SIGNALBOX_MATTERMOST_URL: addresses.mattermost }),
    form: ({ mattermost }) => ({ token: mattermost.botToken }),
    pages: ({ mattermost, origin }) =>
      ['Deployments', 'Town Square'].map((name) => ({
        id: `channel-${mattermost.channelId(name)}`,
        title: name,
        note: countOf(mattermost.messages(name).length),
        url: `${origin}/mattermost/channels/${mattermost.channelId(name)}`,
      })),
    channel: ({ mattermost }) => mattermost.channelId('Deployments'),
  },
  {
    name: 'discord',
    title: 'Discord',
    kind: 'chat',
    settings: ({ addresses, discord: { app } }) => ({
      SIGNALBOX_DISCORD_WEB_URL: addresses.discordWeb,
      SIGNALBOX_DISCORD_API_URL: addresses.discordApi,
      ...client('DISCORD', { clientId: app.id, clientSecret: app.clientSecret }),
      SIGNALBOX_DISCORD_BOT_TOKEN: app.botToken,
      SIGNALBOX_DISCORD_PUBLIC_KEY: app.publicKey,
    }),
    register({ discord: { app } }, { callbackUrl }) {
      app.redirectUris = [callbackUrl]
    },
    pages: ({ discord, origin }) =>
      ['deployments', 'general'].map((name) => ({
        id: `channel-${discord.channelId(name)}`,
        title: `# ${name}`,
        note: countOf(discord.messages(name).length),
        url: `${origin}/discord/channels/${discord.channelId(name)}`,
      })),
    channel: ({ discord }) => discord.channelId('deployments'),
  },
]

function countOf(messages: number): string {
  return `${messages} message${messages === 1 ? '' : 's'}`
}

/** Returns the pages of those who take part, in this order of their kinds. */
export function pagesOf(
  sandbox: Sandbox,
  kinds: readonly Participant['kind'][],
): readonly ParticipantPage[] {
  return kinds.flatMap((kind) =>
    participants
      .filter(({ name, kind: own }) => own === kind && sandbox.participants.includes(name))
      .flatMap(({ pages }) => pages?.(sandbox) ?? []),
  )
}

/** Returns the settings with which the product uses these participants, by the names of environment variables. */
export function settingsOf(
  sandbox: Sandbox,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.assign({}, ...names.map((name) => getParticipant(name).settings(sandbox)))
}

/** Enters the addresses of the product, which answers at `service`, where these participants know its application. */
export async function register(
  sandbox: Sandbox,
  service: string,
  names: readonly string[],
): Promise<void> {
  const usual = usualParticipants()
  for (const participant of names.map(getParticipant)) {
    const owner = getParticipant(participant.sharesWith ?? participant.name)
    const callbackUrl = `${service}/integrations/${owner.kind}/oauth/callback`
    // The first of a kind keeps the address that all had when there was one of each.
    const address = usual.includes(owner) ? owner.kind : owner.name
    await owner.register?.(sandbox, { callbackUrl, webhookUrl: `${service}/webhooks/${address}` })
  }
}

function getParticipant(name: string): Participant {
  const participant = participants.find((one) => one.name === name)
  if (participant === undefined) throw new Error(`No provider of the sandbox is named ${name}`)
  return participant
}

/** Returns the first participant of each kind. */
export function usualParticipants(): readonly Participant[] {
  return participants.filter(
    ({ kind }, index) => participants.findIndex((one) => one.kind === kind) === index,
  )
}

/** Returns a participant as the control routes show it. */
export function presentParticipant(sandbox: Sandbox, participant: Participant) {
  const { name, title, kind, sharesWith, settings, form, projectKeys, testWorkflow, channel } =
    participant
  const channelId = channel?.(sandbox)
  const page = participant.pages?.(sandbox).find(({ id }) => id === `channel-${channelId}`)
  return {
    name,
    title,
    kind,
    sharesWith: sharesWith ?? null,
    settings: settings(sandbox),
    form: form?.(sandbox) ?? null,
    projectKeys: projectKeys ?? [],
    testWorkflow: testWorkflow ?? null,
    channel: channelId === undefined ? null : { id: channelId, url: page?.url ?? '' },
  }
}
