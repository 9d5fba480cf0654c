import { z } from 'zod'
import type { OAuthConnector } from '../connector.ts'
import type { Grant } from '../grant.ts'
import { createGitlabRequests, readAnswer } from './api-request.ts'
import { hookPath, removeUnlessLost } from './hooks.ts'
import { instanceOf, toAccountId } from './instance.ts'
import { renewIfEnded } from '../oauth-client.ts'
import { createGitlabOAuth, gitlabScopes, revokeTokens, type GitlabOAuthOptions } from './oauth.ts'
import { externalId, textOrNull } from '../codehosts/fields.ts'
import { readVersion } from './version.ts'

const user = z.object({ id: externalId, username: z.string(), web_url: textOrNull })

/**
 * Creates what connects organizations with a GitLab. The access is a person's: it ends with their account or their role, and GitLab
 * tells nobody.
 */
export function createGitlabConnector(options: GitlabOAuthOptions): OAuthConnector {
  const { provider, webUrl, now } = options
  const { authorizeUrl, exchange, refresh } = createGitlabOAuth(options)
  const instance = instanceOf(webUrl)
  return {
    provider,
    usesPkce: true,
    instanceAddress: instance,
    authorizeUrl,
    async connect(response) {
      const { grant } = await exchange(response)
      const requests = requestsOf(options, grant)
      const { id, username, web_url: url } = readAnswer(await requests.get('/user'), user)
      const hostVersion = await readVersion(requests)
      return {
        // A person of another instance may have the same number.
        account: { id: toAccountId(instance, id), name: username, url },
        choices: [],
        grant,
        scopes: grant.scopes,
        reconnectBefore: null,
        settings: { hostVersion },
      }
    },
    refresh,
    // Both tokens are dead at once, and a replica that lags refuses a good one for minutes.
    refreshLoss: { replayMs: 0, invalidGrantIsFinal: false },
    async revoke({ grant, hooks = [] }) {
      if (grant === null) return
      const current = await renewIfEnded({ refresh, now }, grant)
      const requests = requestsOf(options, current)
      for (const ref of hooks) {
        const path = hookPath(instance, ref)
        if (path !== undefined) await removeUnlessLost(requests, path)
      }
      await revokeTokens(options, current)
    },
    isSameAccount: (former, next) => former.name.toLowerCase() === next.name.toLowerCase(),
    manageUrl: `${webUrl}/-/user_settings/applications`,
    // Read access is a level that a member chooses, so it lacks nothing.
    wantedScopes: { [gitlabScopes.read]: 'Signalbox can’t read projects and deployments.' },
  }
}

function requestsOf({ provider, webUrl, egress, now }: GitlabOAuthOptions, { accessToken }: Grant) {
  return createGitlabRequests({
    call: { provider, egress, now },
    webUrl,
    withAccessToken: (send) => send(accessToken),
  })
}
