import type { IntegrationProvider, ProviderAppAnswer } from '@signalbox/contract/rest'
import { webhookUrl } from './github-manifest.ts'
import { callbackUrl } from './integration-deps.ts'
import { kindOfProvider } from './integration.ts'
import { hookSecretsAt, type StoredApp } from './provider-app.ts'
import { providerAppRequirements } from './provider-app-requirements.ts'
import type { ProviderAppRow } from './provider-app-rows.ts'
import type { ProviderAddresses, ProviderApps } from './provider-apps.ts'

export interface ShownApp {
  readonly provider: IntegrationProvider
  readonly app: StoredApp | undefined
  readonly row: ProviderAppRow | undefined
}

export interface PresentAppDeps {
  readonly settings: ProviderApps
  readonly addresses: Pick<ProviderAddresses, 'githubWeb'>
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** An application as whoever runs the server is shown it: each field by name, so that no secret comes along. */
export function presentProviderApp(deps: PresentAppDeps, shown: ShownApp): ProviderAppAnswer {
  const { provider, app, row } = shown
  const { permissions, events, scopes, hasWebhooks } = providerAppRequirements[provider]
  const isOfSettings = deps.settings[provider] !== undefined
  const kind = kindOfProvider[provider]
  const parts = isOfSettings ? partsOfSettings(deps.settings, provider) : partsOfStored(app, deps)
  return {
    provider,
    isSetUp: isOfSettings || app !== undefined,
    source: isOfSettings ? 'settings' : app === undefined ? null : 'stored',
    isStored: row !== undefined,
    ...parts,
    registerUrl: registerUrlOf(provider, deps.addresses),
    callbackUrl: callbackUrl(deps, kind),
    webhookUrl: hasWebhooks ? webhookUrlOf(provider, deps.publicUrl()) : null,
    permissions: { ...permissions },
    events: [...events],
    scopes: [...scopes],
    updatedAt: row?.updatedAt.toISOString() ?? null,
    updatedBy: row?.updatedBy ?? null,
  }
}

function webhookUrlOf(provider: IntegrationProvider, publicUrl: string): string {
  return provider === 'github'
    ? webhookUrl(publicUrl)
    : `${publicUrl}/webhooks/${kindOfProvider[provider]}`
}

type Parts = Pick<
  ProviderAppAnswer,
  'appId' | 'slug' | 'clientId' | 'acceptsWebhooks' | 'previousSecretUntil'
>

const noParts: Parts = {
  appId: null,
  slug: null,
  clientId: null,
  acceptsWebhooks: null,
  previousSecretUntil: null,
}

function partsOfSettings(
  { github, jira, slack }: ProviderApps,
  provider: IntegrationProvider,
): Parts {
  if (provider === 'github' && github !== undefined) {
    const { appId, slug, clientId, webhookSecrets } = github
    return { ...noParts, appId, slug, clientId, acceptsWebhooks: webhookSecrets.length > 0 }
  }
  if (provider === 'slack' && slack !== undefined) {
    const { clientId, signingSecrets } = slack
    return { ...noParts, clientId, acceptsWebhooks: signingSecrets.length > 0 }
  }
  return { ...noParts, clientId: jira?.clientId ?? null }
}

function partsOfStored(app: StoredApp | undefined, { now }: PresentAppDeps): Parts {
  if (app === undefined) return noParts
  const { clientId } = app
  if (app.provider === 'jira') return { ...noParts, clientId }
  const secrets = hookSecretsAt(app, now())
  const numbers = app.provider === 'github' ? { appId: app.appId, slug: app.slug } : {}
  const until = secrets.length > 1 ? app.previousSecret?.until.toISOString() : undefined
  return {
    ...noParts,
    ...numbers,
    clientId,
    acceptsWebhooks: secrets.length > 0,
    previousSecretUntil: until ?? null,
  }
}

function registerUrlOf(
  provider: IntegrationProvider,
  { githubWeb }: Pick<ProviderAddresses, 'githubWeb'>,
): string {
  switch (provider) {
    case 'github':
      return `${githubWeb}/settings/apps/new`
    case 'jira':
      return 'https://developer.atlassian.com/console/myapps/'
    case 'slack':
      return 'https://api.slack.com/apps'
  }
}
