import { z } from 'zod'
import type { OAuthConnector } from '../connector.ts'
import type { Grant } from '../grant.ts'
import { instanceOf, toInstanceId } from '../codehosts/instance-ids.ts'
import { createForgejoRequests, readAnswer } from './api-request.ts'
import { removeHook } from './hooks.ts'
import { readVersion } from './instance-version.ts'
import { renewIfEnded, type OAuthConnectorOptions } from '../oauth-client.ts'
import { createForgejoOAuth, forgejoScopes } from './oauth.ts'
import { createRepositoryPaths } from './repository-paths.ts'
import { externalId, textOrNull } from '../codehosts/fields.ts'

const user = z.object({ id: externalId, login: z.string(), html_url: textOrNull })

/** Says how a person grants a scope that is missing. */
export const grantAdvice =
  'Remove the application in your Forgejo settings, under Applications, and connect again: Forgejo keeps the rights that you gave first.'

/**
 * Creates what connects organizations with a Forgejo or Gitea. The access is a person's: it ends with their account or their role, and
 * nobody is told.
 */
export function createForgejoConnector(options: OAuthConnectorOptions): OAuthConnector {
  const { webUrl, now } = options
  const { authorizeUrl, exchange, refresh } = createForgejoOAuth(options)
  const instance = instanceOf(webUrl)
  return {
    provider: 'forgejo',
    usesPkce: true,
    authorizeUrl,
    async connect(response) {
      const { grant } = await exchange(response)
      const requests = requestsOf(options, grant)
      const { id, login, html_url: url } = readAnswer(await requests.get('/user'), user)
      return {
        // A person of another instance may have the same number.
        account: { id: toInstanceId(instance, id), name: login, url },
        choices: [],
        grant,
        scopes: grant.scopes,
        reconnectBefore: null,
        settings: { hostVersion: (await readVersion(requests)) ?? null },
      }
    },
    refresh,
    // `INVALIDATE_REFRESH_TOKENS` is on in Forgejo and off in Gitea (`modules/setting/oauth2.go` of both), and no API tells which.
    // Where it is off, the next caller gets the answer that was lost, because only a rejection is final.
    refreshLoss: { replayMs: 0, invalidGrantIsFinal: true },
    revokes: 'webhooks',
    async revoke({ accountId, grant, hooks = [] }) {
      if (grant === null) return
      const requests = requestsOf(options, await renewIfEnded({ refresh, now }, grant))
      const paths = createRepositoryPaths(requests, { instance, accountId, now })
      for (const ref of hooks) await removeHook({ requests, paths }, ref)
    },
    isSameAccount: (former, next) => former.name.toLowerCase() === next.name.toLowerCase(),
    manageUrl: `${webUrl}/user/settings/applications`,
    revokeAdvice: 'Remove the application in your Forgejo settings, under Applications.',
    grantAdvice,
    wantedScopes: { [forgejoScopes.read]: 'Signalbox can’t read repositories and commits.' },
  }
}

function requestsOf({ webUrl, egress, now }: OAuthConnectorOptions, { accessToken }: Grant) {
  return createForgejoRequests({
    call: { provider: 'forgejo', egress, now },
    webUrl,
    withAccessToken: (send) => send(accessToken),
  })
}
