import { toStorableText } from '@signalbox/contract'
import type * as openid from 'openid-client'
import { OidcError, toOidcError } from './oidc-error.ts'

/** Describes the provider that the settings of this server name. */
export interface OidcSettings {
  /** Example: `https://id.example.com/realms/acme`. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Shown on the button. */
  readonly name: string
  /** Names the scopes that a sign-in asks for. `undefined`: the usual ones, and `groups` where the provider lists it. */
  readonly scope: string | undefined
  /** Names the claim that lists the groups of a person. */
  readonly groupsClaim: string
}

/** Describes the values that bind an answer to its question: the state, and what only the browser's cookie leads to. */
export interface OidcBinding {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** Describes the parameters that the browser came back with. */
export interface OidcAnswer {
  readonly code: string | undefined
  readonly state: string | undefined
  /** RFC 9207. */
  readonly iss: string | undefined
  readonly error: string | undefined
}

/** Describes the person who signed in at the provider, by an ID token that was checked. */
export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** The moment of their last authentication there (`auth_time`); `undefined` where the provider does not say. */
  readonly authenticatedAt: Date | undefined
  /** Names their session there, which a logout ends. `undefined` where the provider names none. */
  readonly sid: string | undefined
  /** Reads the provider's profile of this very subject. Called only for a new person. @throws {OidcError} */
  readProfile(): Promise<OidcProfile>
  /** Reads the names of their groups there; none where the provider sends no such claim. @throws {OidcError} */
  readGroups(): Promise<readonly string[]>
}

/** Describes the profile of a person at the provider. */
export interface OidcProfile {
  readonly email: string | undefined
  readonly emailVerified: boolean
  /** Says that the owner of the domain stands for the address: `xms_edov` of Entra ID, which verifies none itself. */
  readonly isOfVerifiedDomain: boolean
  readonly name: string | undefined
}

/** Signs people in with the OpenID provider. Every method throws an `OidcError` when it fails. */
export interface OidcProvider {
  readonly name: string
  /** Returns the address to send the browser to. `again`: the person signs in even if the provider has a session. */
  authorizeUrl(binding: OidcBinding, options: { readonly again: boolean }): Promise<string>
  /** Exchanges the code and checks the ID token (OpenID Connect Core §3.1.3.7). */
  identify(answer: OidcAnswer, binding: OidcBinding): Promise<OidcPerson>
}

export interface OidcProviderDeps {
  readonly settings: OidcSettings
  /** Of `egress/`: the addresses in the provider's own description are guarded like any other. */
  readonly fetch: typeof globalThis.fetch
  readonly publicUrl: () => string
  /** Holds the path that browsers come back to. Default: that of the provider of the settings. */
  readonly callbackPath?: string
  readonly now: () => Date
}

/** The description of the provider is read again after so long. */
const discoveredMs = 3600 * 1000

/** Loads the library at the first sign-in with it. */
type Library = typeof openid

interface Discovered {
  readonly library: Library
  readonly config: openid.Configuration
}

/** Creates the client of the OpenID provider. It sends the first request with the first sign-in, and retries a failed discovery. */
export function createOidcProvider(deps: OidcProviderDeps): OidcProvider {
  let known: { readonly discovered: Promise<Discovered>; readonly at: number } | undefined
  const discover = (): Promise<Discovered> => {
    const at = deps.now().getTime()
    if (known !== undefined && at - known.at < discoveredMs) return known.discovered
    const discovery = { discovered: discoverProvider(deps), at }
    known = discovery
    discovery.discovered.catch(() => {
      if (known === discovery) known = undefined
    })
    return discovery.discovered
  }
  const redirectUri = () => `${deps.publicUrl()}${deps.callbackPath ?? '/sign-in/oidc/callback'}`
  return {
    name: deps.settings.name,
    authorizeUrl: (binding, { again }) =>
      attempt(async () => {
        const { library, config } = await discover()
        const url = library.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri(),
          scope: deps.settings.scope ?? chooseScope(config.serverMetadata()),
          state: binding.state,
          nonce: binding.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(binding.codeVerifier),
          code_challenge_method: 'S256',
          ...(again && { prompt: 'login', max_age: '0' }),
        })
        if (!/^https?:$/.test(url.protocol)) {
          throw new OidcError('provider_response', 'Its sign-in page is not an http or https URL')
        }
        return url.href
      }),
    identify: (answer, binding) =>
      attempt(async () => {
        const discovered = await discover()
        const url = new URL(redirectUri())
        for (const [name, value] of Object.entries(answer)) {
          if (typeof value === 'string') url.searchParams.set(name, value)
        }
        return exchangeCode(discovered, { url, binding, groupsClaim: deps.settings.groupsClaim })
      }),
  }
}

async function discoverProvider({ settings, fetch: send }: OidcProviderDeps): Promise<Discovered> {
  const library = await import('openid-client')
  const { clientId, clientSecret, issuer } = settings
  const config = await library.discovery(
    new URL(issuer),
    clientId,
    undefined,
    chooseAuthentication(library, clientSecret),
    {
      // All it ever sends is forms.
      [library.customFetch]: (url, { body, signal, ...asked }) =>
        send(url, {
          ...asked,
          body: body instanceof URLSearchParams ? body : null,
          signal: signal ?? null,
        }),
      // The signature counts although the token comes from the provider itself: plain http is possible, and proxies are.
      // The egress decides for the whole service which addresses may be called without TLS.
      // oxlint-disable-next-line typescript/no-deprecated -- marked so to be noticed
      execute: [library.enableNonRepudiationChecks, library.allowInsecureRequests],
    },
  )
  return { library, config }
}

/** Entra ID refuses a scope that it does not know, and Okta sends groups only where it is asked for. */
function chooseScope({ scopes_supported: known = [] }: openid.ServerMetadata): string {
  return `openid email profile${known.includes('groups') ? ' groups' : ''}`
}

/** As the provider says that it takes the secret; in the header when it does not say (OpenID Connect Discovery §3). */
function chooseAuthentication(library: Library, clientSecret: string): openid.ClientAuth {
  const basic = library.ClientSecretBasic(clientSecret)
  const post = library.ClientSecretPost(clientSecret)
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const chosen = methods.includes('client_secret_basic') ? basic : post
    chosen(server, client, body, headers)
  }
}

async function exchangeCode(
  { library, config }: Discovered,
  {
    url,
    binding,
    groupsClaim,
  }: { readonly url: URL; readonly binding: OidcBinding; readonly groupsClaim: string },
): Promise<OidcPerson> {
  const tokens = await library.authorizationCodeGrant(config, url, {
    expectedState: binding.state,
    expectedNonce: binding.nonce,
    pkceCodeVerifier: binding.codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new OidcError('provider_response', 'There is no ID token')
  const { iss: issuer, sub: subject, auth_time: authTime } = claims
  if (toStorableText(subject) !== subject) {
    throw new OidcError('provider_response', 'Its subject is a text that cannot be stored')
  }
  /** Reads the user info where the ID token lacks a claim. Refused about another subject (OpenID Connect Core §5.3.2). */
  const readClaims = async (needed: string): Promise<Readonly<Record<string, unknown>>> => {
    const { userinfo_endpoint: endpoint } = config.serverMetadata()
    if (claims[needed] !== undefined || endpoint === undefined) return claims
    return library.fetchUserInfo(config, tokens.access_token, subject)
  }
  return {
    issuer,
    subject,
    authenticatedAt: authTime === undefined ? undefined : new Date(authTime * 1000),
    sid: typeof claims['sid'] === 'string' ? claims['sid'] : undefined,
    readProfile: () => attempt(async () => toProfile(await readClaims('email'))),
    readGroups: () => attempt(async () => toGroups((await readClaims(groupsClaim))[groupsClaim])),
  }
}

function toProfile(claims: Readonly<Record<string, unknown>>): OidcProfile {
  const { email, name } = claims
  return {
    email: typeof email === 'string' ? email : undefined,
    // The text "true", which some providers send, is not the value that the specification asks for.
    emailVerified: claims['email_verified'] === true,
    isOfVerifiedDomain: [true, 1, '1', 'true'].some((yes) => claims['xms_edov'] === yes),
    name: typeof name === 'string' ? name : undefined,
  }
}

/** Returns the names in a claim, which is a list or, from some providers for one group, a text. */
function toGroups(claim: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return names.filter((name) => typeof name === 'string')
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toOidcError(error)
  }
}
