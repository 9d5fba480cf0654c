import * as oauth from 'oauth4webapi'
import type { Egress } from '../egress/create-egress.ts'
import { EgressError } from '../egress/egress-error.ts'
import { parseForeignJson } from '../egress/foreign-json.ts'
import type { AuthorizationResponse } from './grant.ts'
import { ProviderError } from './provider-error.ts'
import { defaultPauseMs } from './rates/rate-limit.ts'
import { pauseFor, readRetryAfter } from './rates/retry-after.ts'

/** Holds the JSON object of a token endpoint's answer. */
export type TokenAnswer = Readonly<Record<string, unknown>>

/** Describes how a provider's token endpoint differs from RFC 6749 §5, where generic clients break. */
export interface TokenEndpointOptions {
  readonly provider: string
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
  /** Says how the client authenticates. Default `post`. */
  readonly clientAuthentication?: 'post' | 'basic'
  /** `json`: the fields are sent as JSON. Default: form. */
  readonly encoding?: 'form' | 'json'
  /** Token types besides `bearer`. */
  readonly tokenTypes?: readonly string[]
  /**
   * Makes the standard answer of the provider's. With `error` in it the answer is a rejection, whatever its status was.
   */
  readonly toStandard?: (answer: TokenAnswer) => TokenAnswer
}

/** Describes one provider's token endpoint. */
export interface TokenEndpoint {
  /** @throws {ProviderError} */
  exchange(response: AuthorizationResponse): Promise<oauth.TokenEndpointResponse>
  /** @throws {ProviderError} `rejected` when the refresh token is good no more. */
  refresh(
    refreshToken: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<oauth.TokenEndpointResponse>
}

/** Creates the client of a token endpoint. It repeats no request: a code, and often a refresh token, works once. */
export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  const { provider, url, clientId, clientSecret, tokenTypes = [] } = options
  const server: oauth.AuthorizationServer = { issuer: new URL(url).origin, token_endpoint: url }
  const client: oauth.Client = { client_id: clientId }
  const authentication =
    options.clientAuthentication === 'basic'
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret)
  const request = {
    [oauth.customFetch]: createTokenFetch(options),
    // The egress decides where plain http may go.
    [oauth.allowInsecureRequests]: true,
  }
  const processing = {
    recognizedTokenTypes: Object.fromEntries(tokenTypes.map((type) => [type, () => {}])),
  }
  return {
    exchange: ({ code, redirectUri, codeVerifier }) =>
      translate(options, async () => {
        // The state was checked before; what is validated here is that there is a code and no error.
        const parameters = oauth.validateAuthResponse(
          server,
          client,
          new URLSearchParams({ code }),
          oauth.expectNoState,
        )
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          codeVerifier ?? oauth.nopkce,
          request,
        )
        return oauth.processAuthorizationCodeResponse(server, client, answer, processing)
      }),
    refresh: (refreshToken, parameters = {}) =>
      translate(options, async () => {
        const answer = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          refreshToken,
          { ...request, additionalParameters: { ...parameters } },
        )
        return oauth.processRefreshTokenResponse(server, client, answer, processing)
      }),
  }
  async function translate<T>(of: TokenEndpointOptions, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toProviderError(provider, of.now(), error)
    }
  }
}

type TokenFetch = (
  url: string,
  options: oauth.CustomFetchOptions<'POST', URLSearchParams>,
) => Promise<Response>

function createTokenFetch({ egress, encoding, toStandard }: TokenEndpointOptions): TokenFetch {
  return async (url, { headers, body, method }) => {
    const sent = new Headers(headers)
    sent.set('accept', 'application/json')
    if (encoding === 'json') sent.set('content-type', 'application/json')
    const answer = await egress.fetch(url, {
      method,
      headers: sent,
      body: encoding === 'json' ? JSON.stringify(Object.fromEntries(body)) : body.toString(),
    })
    if (answer.status === 429 || answer.status >= 500) throw new UnusableAnswer(answer)
    const read = parseRecord(await answer.text())
    if (read === undefined) throw new UnusableAnswer(answer)
    const standard = toStandard?.(read) ?? read
    const status = typeof standard['error'] === 'string' ? 400 : answer.status
    return Response.json(standard, { status })
  }
}

/** Marks an answer that says nothing about the grant: the provider is in trouble, or another server answers in its place. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
  readonly status: number
  readonly retryAfter: string | undefined

  constructor({ status, headers }: Response) {
    super(`The token endpoint answered ${status}`)
    this.status = status
    this.retryAfter = headers.get('retry-after') ?? undefined
  }
}

function parseRecord(text: string): TokenAnswer | undefined {
  try {
    const value: unknown = parseForeignJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined
  } catch {
    return undefined
  }
}

const codePattern = /^[a-z0-9_.-]{1,64}$/i

function toProviderError(provider: string, now: Date, error: unknown): ProviderError {
  if (error instanceof oauth.ResponseBodyError) {
    // Never the description: it is the provider's free text.
    const code = codePattern.test(error.error) ? error.error : 'refused'
    return new ProviderError({ provider, failure: 'rejected', code }, { cause: error })
  }
  if (error instanceof UnusableAnswer && error.status === 429) {
    const retryAt = readRetryAfter(error.retryAfter, now) ?? pauseFor(now, defaultPauseMs)
    return new ProviderError({ provider, failure: 'rateLimited', code: 'http_429', retryAt })
  }
  if (error instanceof EgressError && error.isUnsent) {
    return new ProviderError({ provider, failure: 'unavailable', code: error.code })
  }
  const code = error instanceof UnusableAnswer ? `http_${error.status}` : 'no_answer'
  return new ProviderError({ provider, failure: 'ambiguous', code })
}
