import type { Sandbox } from '@signalbox/sandbox'
import { applicationOwnerOf } from '../../providers/find-provider.ts'
import type { ContextOf, ProviderApplication, ProviderContext } from '../../providers/context.ts'

/** Returns what reaches the pretended providers, with the applications that they have of this server. */
export function sandboxContexts(
  sandbox: Sandbox,
  reach: Pick<ProviderContext, 'egress' | 'now'>,
): ContextOf {
  const addresses = sandboxAddresses(sandbox)
  return (provider) => ({
    ...reach,
    addresses: addresses[applicationOwnerOf(provider)] ?? {},
    application: () => sandboxApplications(sandbox)[applicationOwnerOf(provider)],
  })
}

/** Returns where the pretended providers are, by their names. */
export function sandboxAddresses({
  addresses,
}: Pick<Sandbox, 'addresses'>): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    github: { web: addresses.githubWeb, api: addresses.githubApi },
    gitlab: { web: addresses.gitlab },
    forgejo: { web: addresses.forgejo },
    jira: { auth: addresses.jiraAuth, api: addresses.jiraApi },
    linear: { web: addresses.linearWeb, api: addresses.linearApi },
    slack: { web: addresses.slackWeb, api: addresses.slackApi },
    discord: { web: addresses.discordWeb, api: addresses.discordApi },
    vercel: { web: 'https://vercel.example', api: addresses.vercelApi },
  }
}

function sandboxApplications({
  addresses,
  discord,
  github,
  jira,
  slack,
}: Sandbox): Readonly<Record<string, ProviderApplication>> {
  const { id, slug, clientId, clientSecret, privateKey, webhookSecret } = github.app
  const clientOf = (app: { readonly clientId: string; readonly clientSecret: string }) => ({
    clientId: app.clientId,
    clientSecret: app.clientSecret,
  })
  return {
    github: {
      values: { appId: String(id), slug, clientId, clientSecret, privateKey },
      webhookSecrets: [webhookSecret],
    },
    jira: { values: clientOf(jira.app), webhookSecrets: [] },
    slack: { values: clientOf(slack.app), webhookSecrets: [slack.app.signingSecret] },
    discord: {
      values: {
        clientId: discord.app.id,
        clientSecret: discord.app.clientSecret,
        botToken: discord.app.botToken,
      },
      webhookSecrets: [discord.app.publicKey],
    },
    mattermost: { values: { url: addresses.mattermost }, webhookSecrets: [] },
  }
}
