import { newId } from '../../../crypto/ids.ts'
import { createEgress, type Egress } from '../../../egress/create-egress.ts'
import { cookieOf, openIdentityApp, type Answer } from '../../testing/open-identity-app.ts'
import {
  oidcClient,
  openOidcProvider,
  type Account,
  type OidcBrowser,
} from '../../testing/open-oidc-provider.ts'
import { createOidcProvider } from '../oidc-provider.ts'

export const publicUrl = 'http://127.0.0.1:4400'
export const callback = `${publicUrl}/sign-in/oidc/callback`

/** Stands between the service and the provider, and answers what the service is to see. */
export type Tamper = (url: URL, answer: Response, sent: Headers) => Response | Promise<Response>

/** Describes a sign-in that a browser began. */
export interface Begun {
  readonly url: string
  /** Kept by the browser since. */
  readonly cookie: string
}

/** Opens identity with a real OpenID provider, in process. */
export async function openOidcApp() {
  const provider = await openOidcProvider(callback)
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const asked: string[] = []
  const wire: { tamper: Tamper | undefined; egress: Pick<Egress, 'fetch'> } = {
    tamper: undefined,
    egress,
  }
  const openProvider = () =>
    createOidcProvider({
      settings: {
        issuer: provider.issuer,
        ...oidcClient,
        name: 'Acme',
        scope: 'openid email profile groups',
        groupsClaim: 'groups',
      },
      fetch: async (input, init) => {
        const { url, headers } = new Request(input, init)
        asked.push(new URL(url).pathname)
        const answer = await wire.egress.fetch(input, init)
        return wire.tamper === undefined ? answer : wire.tamper(new URL(url), answer, headers)
      },
      publicUrl: () => publicUrl,
      now: () => new Date(),
    })
  const app = await openIdentityApp({ oidcProvider: openProvider() })
  const orgId = await app.addOrganization('Acme')

  const begin = async (returnTo?: string): Promise<Begun> => {
    const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
    return begunOf(await app.call(`GET /sign-in/oidc${query}`))
  }
  const finish = (url: URL, cookie: string) =>
    app.call(`GET ${url.pathname}${url.search}`, { headers: { cookie } })
  return {
    ...app,
    provider,
    wire,
    /** Somebody may come who has this address. */
    invite: (email: string, expiresAt = '2999-01-01') =>
      app.test.asOwner(
        `insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
         values ($1, $2, $3, 'viewer', sha256($3::text::bytea), '{}', now(), $4)`,
        [orgId, newId('inv', new Date()), email.toLowerCase(), expiresAt],
      ),
    /** The paths of the provider that the service asked for, since it was emptied. */
    asked,
    begin,
    finish,
    /** Another node, which has not asked the provider yet. */
    openFresh: () => app.openNode({ oidcProvider: openProvider() }),
    /** The whole way, as somebody at the provider. */
    async signIn(account: Account | undefined, browser: OidcBrowser = provider.openBrowser()) {
      provider.account = account
      const { url, cookie } = await begin()
      return finish(await browser.visit(url, callback), cookie)
    },
    async close() {
      await app.close()
      await egress.close()
      await provider.close()
    },
  }
}

export type OidcApp = Awaited<ReturnType<typeof openOidcApp>>

/** Returns the address that an answer sends the browser to, and the cookie that it sets. */
export function begunOf(answer: Answer): Begun {
  const url: string = answer.headers.get('location') ?? answer.body.url
  return { url, cookie: cookieOf(answer) }
}

/** The code of a rejection, from where the browser is sent; `undefined` when it is none. */
export function rejectionOf(answer: Answer): string | undefined {
  const location = answer.headers.get('location') ?? ''
  return new URL(location, publicUrl).searchParams.get('error') ?? undefined
}
