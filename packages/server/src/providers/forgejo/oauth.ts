import { z } from 'zod'
import { callProvider, readProviderJson } from '../call-provider.ts'
import { toBasic } from '../client-application.ts'
import {
  createOAuthClient,
  splitScopes,
  type OAuthClient,
  type OAuthConnectorOptions,
} from '../oauth-client.ts'
import { ProviderError } from '../provider-error.ts'

/** Names the scopes. Writing is needed for webhooks and to start workflows, and issues have a scope of their own. */
export const forgejoScopes = {
  user: 'read:user',
  read: 'read:repository',
  write: 'write:repository',
  issue: 'read:issue',
} as const

/**
 * Lists the scopes of each level. Without any scope of the API, or with those of OpenID alone, a token may do everything that the
 * person may. The same scopes in another order are other ones to an instance, and a second grant with others is refused, so that
 * issues are asked for from the start.
 */
const scopesOf = {
  read: [forgejoScopes.read, forgejoScopes.issue, forgejoScopes.user],
  full: [forgejoScopes.write, forgejoScopes.issue, forgejoScopes.user],
} as const

const includes = { [forgejoScopes.write]: forgejoScopes.read }

/** Returns whether an access may change something. */
export function canWrite(scopes: readonly string[]): boolean {
  return scopes.includes(forgejoScopes.write)
}

/**
 * Creates the OAuth client of an instance. A refresh token lasts thirty days by default, and the answer does not say. A grant keeps its
 * scopes for good.
 */
export function createForgejoOAuth(options: OAuthConnectorOptions): OAuthClient {
  const { webUrl, app, egress, now } = options
  const client = createOAuthClient({
    provider: 'forgejo',
    url: `${webUrl}/login/oauth/access_token`,
    ...app,
    egress,
    now,
    authorizeAt: `${webUrl}/login/oauth/authorize`,
    toParameters: (level = 'full') => ({
      response_type: 'code',
      scope: scopesOf[level].join(' '),
    }),
    accessSeconds: 3600,
  })
  return {
    ...client,
    async exchange(response) {
      const { grant, answer } = await client.exchange(response)
      return { grant: { ...grant, scopes: await readScopes(options, grant.accessToken) }, answer }
    },
  }
}

const introspection = z.object({ active: z.boolean(), scope: z.string().catch('') })

/**
 * Reads what was granted, which the token's answer leaves out. An instance that does not say is taken for one that granted
 * everything, and calls show what it refuses.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
async function readScopes(
  { webUrl, app, egress, now }: OAuthConnectorOptions,
  token: string,
): Promise<string[]> {
  const everything = splitScopes(scopesOf.full.join(' '), includes)
  try {
    const answer = await callProvider(
      { provider: 'forgejo', egress, now },
      {
        method: 'POST',
        url: `${webUrl}/login/oauth/introspect`,
        headers: { authorization: toBasic(app) },
        form: { token },
        isSafe: true,
      },
    )
    const { data } = introspection.safeParse(readProviderJson('forgejo', answer))
    return data?.active === true ? splitScopes(data.scope, includes) : everything
  } catch (error) {
    if (error instanceof ProviderError) return everything
    throw error
  }
}
