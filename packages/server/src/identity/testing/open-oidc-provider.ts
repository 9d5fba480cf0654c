import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'

export const oidcClient = { clientId: 'signalbox', clientSecret: 'secret-of-the-client-0123456789' }

/** Somebody with an account at the provider. */
export interface Account {
  readonly sub: string
  readonly email?: string | null
  readonly email_verified?: boolean | null
  readonly name?: string
  readonly groups?: readonly unknown[]
}

/** A certified OpenID provider on this machine, and a browser for it. */
export interface TestOidcProvider {
  readonly issuer: string
  /** Chooses the account that signs in from now on. `undefined`: the person presses Cancel. */
  account: Account | undefined
  /** Tells the client that somebody has signed out here, at the address of `open`. Rejects when it is not obeyed. */
  logOut(sub: string, sid: string): Promise<void>
  /** Opens a browser without cookies. */
  openBrowser(): OidcBrowser
  close(): Promise<void>
}

export interface OidcBrowser {
  /** Goes from the provider's page to sign in until it is sent to `callback`. Answers that address. */
  visit(url: string, callback: string): Promise<URL>
}

/** Starts the provider over HTTP with one client, `oidcClient`. */
export async function openOidcProvider(
  redirectUri: string,
  logoutUri?: string,
): Promise<TestOidcProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has an address with a port
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, Account>()
  const test: TestOidcProvider = {
    issuer,
    account: undefined,
    openBrowser: () => openBrowser(),
    async logOut(sub, sid) {
      const client = await provider.Client.find(oidcClient.clientId)
      // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- its types leave it out
      await (client as any).backchannelLogout(sub, sid)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const provider = new Provider(issuer, configure({ redirectUri, logoutUri }, accounts))
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) {
      void answer(request, response)
      return
    }
    const { account } = test
    if (account !== undefined) accounts.set(account.sub, account)
    const result =
      account === undefined
        ? { error: 'access_denied', error_description: '<script>alert(1)</script>' }
        : { login: { accountId: account.sub } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  return test
}

function configure(
  {
    redirectUri,
    logoutUri,
  }: { readonly redirectUri: string; readonly logoutUri: string | undefined },
  accounts: ReadonlyMap<string, Account>,
): Configuration {
  const { clientId, clientSecret } = oidcClient
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        ...(logoutUri !== undefined && {
          backchannel_logout_uri: logoutUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    // Its own one calls no address of this machine.
    fetch: (url, options) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it leaves out is the agent that refuses this machine
      fetch(url, { ...(options as object), dispatcher: undefined } as RequestInit),
    cookies: { keys: ['key-of-the-test'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: logoutUri !== undefined },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...accounts.get(sub), sub }),
    }),
    // Everybody has consented.
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc
      const grant = new provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  }
}

function openBrowser(): OidcBrowser {
  const cookies = new Map<string, string>()
  return {
    async visit(url, callback) {
      let next = new URL(url)
      for (let hops = 0; hops < 10; hops += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`${next.pathname}: ${await answer.text()}`)
        next = new URL(location, next)
        if (next.href.startsWith(callback)) return next
      }
      throw new Error('The provider sends the browser round and round')
    },
  }
}
