import type { ProviderCall } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'
import { createTokenEndpoint, type TokenAnswer } from '../token-endpoint.ts'
import type { GithubApp } from './application.ts'
import { createGithubInstallations, type GithubInstallations } from './installations.ts'
import type { Egress } from '../../egress/create-egress.ts'
import type { AccountStanding, OAuthConnector } from '../connector.ts'

/** Describes the GitHub that organizations connect with. */
export interface GithubConnectorOptions {
  /** Example: `https://github.com`. */
  readonly webUrl: string
  /** Example: `https://api.github.com`. */
  readonly apiUrl: string
  readonly app: GithubApp
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

const digits = /^\d{1,20}$/

/**
 * Creates what connects organizations with GitHub. The person's token proves that the installation is theirs to give, and is ended at
 * once: what is kept is a number, from which tokens are made with the App's key.
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export function createGithubConnector(
  options: GithubConnectorOptions,
): OAuthConnector & Required<Pick<OAuthConnector, 'readStanding'>> {
  const { webUrl, apiUrl, app, egress, now } = options
  const call: ProviderCall = { provider: 'github', egress, now }
  const endpoint = createTokenEndpoint({
    provider: 'github',
    url: `${webUrl}/login/oauth/access_token`,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    egress,
    now,
    toStandard,
  })
  const installations = createGithubInstallations({ call, apiUrl, app })
  return {
    provider: 'github',
    // The page that installs an App asks for the person as well, and takes no code challenge.
    usesPkce: false,
    authorizeUrl: ({ state }) =>
      `${webUrl}/apps/${encodeURIComponent(app.slug)}/installations/new?${new URLSearchParams({ state }).toString()}`,
    async connect(response) {
      const installationId = response.query?.['installation_id']
      const { access_token: accessToken } = await endpoint.exchange(response)
      try {
        if (typeof installationId !== 'string' || !digits.test(installationId))
          return 'account_mismatch'
        const installation = await installations.findOfUser(accessToken, installationId)
        if (installation === undefined) return 'account_mismatch'
        const { id, accountName, accountUrl, scopes } = installation
        return {
          account: { id, name: accountName, url: accountUrl },
          choices: [],
          grant: null,
          scopes,
          reconnectBefore: null,
          settings: {},
        }
      } finally {
        // It ends in eight hours by itself, should this fail.
        await installations.revokeToken(accessToken).catch(() => undefined)
      }
    },
    refresh: undefined,
    readStanding: (accountId) => readStanding(installations, accountId),
    // An App that was uninstalled comes back to the same account under another number.
    isSameAccount: (former, next) => former.name.toLowerCase() === next.name.toLowerCase(),
    revoke: ({ accountId }) => installations.uninstall(accountId),
    manageUrl: `${webUrl}/settings/installations`,
    wantedScopes: {
      'metadata:read': 'Signalbox can’t list repositories.',
      'deployments:read': 'Signalbox can’t record deployments.',
      'actions:read':
        'Signalbox can’t show workflows and environments, and test runs have no result.',
      'actions:write': 'Signalbox can’t start workflows, so it tests no deployment.',
      'contents:read':
        'Signalbox sees only the newest commit of a deployment, so issues of the others are missing.',
    },
  }
}

/** GitHub answers rejections with status 200, and an empty scope for Apps, which RFC 6749 §3.3 has no place for. */
function toStandard({ scope, ...answer }: TokenAnswer): TokenAnswer {
  return scope === '' ? answer : { ...answer, ...(scope !== undefined && { scope }) }
}

/** Returns what an installation may do, or why it may do nothing. @throws {ProviderError} */
async function readStanding(
  installations: GithubInstallations,
  accountId: string,
): Promise<AccountStanding> {
  try {
    const { accountName, accountUrl, scopes, isSuspended } = await installations.get(accountId)
    const access = { name: accountName, url: accountUrl, scopes }
    return isSuspended
      ? {
          standing: 'suspended',
          access,
          reason: 'The installation of the App is suspended on GitHub.',
        }
      : { standing: 'active', access }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'notFound') throw error
    return { standing: 'gone', reason: 'The App was uninstalled on GitHub.' }
  }
}
