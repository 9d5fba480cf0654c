import { z } from 'zod'
import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { parseForeignJson } from '../../egress/foreign-json.ts'
import type { AuthorizationRequest, AuthorizationResponse, Grant } from '../grant.ts'
import { createTokenEndpoint } from '../token-endpoint.ts'

/** Holds the OAuth application at an instance. */
export interface ForgejoApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** Describes the instance that grants access. */
export interface ForgejoOAuthOptions {
  /** Example: `https://codeberg.org`. It may have a path. */
  readonly webUrl: string
  readonly app: ForgejoApp
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

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

/** Returns whether an access may change something. */
export function canWrite(scopes: readonly string[]): boolean {
  return scopes.includes(forgejoScopes.write)
}

/** Describes OAuth 2.0 of Forgejo and Gitea. There is no way to end a grant but the person's settings. */
export interface ForgejoOAuth {
  authorizeUrl(request: AuthorizationRequest): string
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<Grant>
  /** @throws {ProviderError} `rejected` when it is dead. */
  refresh(refreshToken: string): Promise<Grant>
}

interface TokenAnswer {
  readonly access_token: string
  readonly expires_in?: number
  readonly refresh_token?: string
}

const introspection = z.object({ active: z.boolean(), scope: z.string().catch('') })

/** Writing includes reading. */
function listScopes(scope: string): string[] {
  const scopes = scope.split(' ').filter((each) => each !== '')
  const { write, read } = forgejoScopes
  return scopes.includes(write) && !scopes.includes(read) ? [...scopes, read] : scopes
}

/** Creates the OAuth client of an instance. */
export function createForgejoOAuth(options: ForgejoOAuthOptions): ForgejoOAuth {
  const { webUrl, app, egress, now } = options
  const endpoint = createTokenEndpoint({
    provider: 'forgejo',
    url: `${webUrl}/login/oauth/access_token`,
    ...app,
    egress,
    now,
  })
  const toGrant = (answer: TokenAnswer, scopes: readonly string[]): Grant => ({
    accessToken: answer.access_token,
    accessExpiresAt: new Date(now().getTime() + (answer.expires_in ?? 3600) * 1000),
    refreshToken: answer.refresh_token ?? null,
    // Thirty days by default. The answer does not say.
    refreshExpiresAt: null,
    scopes,
  })
  return {
    authorizeUrl({ state, redirectUri, codeChallenge, level = 'full' }) {
      const url = new URL(`${webUrl}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        scope: scopesOf[level].join(' '),
        ...(codeChallenge !== undefined && {
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        }),
      }).toString()
      return url.href
    },
    async exchange(response) {
      const answer = await endpoint.exchange(response)
      return toGrant(answer, await readScopes(options, answer.access_token))
    },
    // A grant keeps its scopes for good.
    refresh: async (refreshToken) => toGrant(await endpoint.refresh(refreshToken), []),
  }
}

/**
 * Reads what was granted, which the token's answer leaves out. An instance that does not say is taken for one that granted
 * everything, and calls show what it refuses.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
async function readScopes(
  { webUrl, app, egress }: ForgejoOAuthOptions,
  token: string,
): Promise<string[]> {
  const everything = listScopes(scopesOf.full.join(' '))
  const secret = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
  try {
    const answer = await egress.fetch(`${webUrl}/login/oauth/introspect`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${secret}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token }).toString(),
    })
    const { data } = introspection.safeParse(parseForeignJson(await answer.text()))
    return data?.active === true ? listScopes(data.scope) : everything
  } catch (error) {
    // Nothing that can be read: a page of a proxy, or no answer.
    if (!(error instanceof EgressError || error instanceof SyntaxError)) throw error
    return everything
  }
}
