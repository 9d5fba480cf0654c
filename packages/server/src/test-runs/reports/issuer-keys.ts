import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Egress } from '../../egress/create-egress.ts'
import type { PipelineTokenIssuer } from '../../providers/pipeline-tokens.ts'

/** Reports that the keys of an issuer cannot be found at the moment. */
class KeysUnreachable extends Error {
  override readonly name = 'KeysUnreachable'
}

/** Holds the milliseconds for which a discovery document is reused, and for which a failed request is not repeated. */
const freshMs = 60 * 60_000
const pauseMs = 10_000
const timeoutMs = 5_000

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

/** Describes what finding keys works with. */
export interface IssuerKeyOptions {
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}

/**
 * Opens the public keys of an issuer. They are kept, and read again where a token names one that is not among them, so that an issuer
 * can exchange them at any time. Where the issuer's folder does not know their address, the discovery document says it.
 *
 * @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationResponse
 */
export function openIssuerKeys(
  { issuer, jwksUrl }: Pick<PipelineTokenIssuer, 'issuer' | 'jwksUrl'>,
  options: IssuerKeyOptions,
): JWTVerifyGetKey {
  if (jwksUrl !== undefined) return openKeys(jwksUrl, options)
  let current: { readonly keys: Promise<JWTVerifyGetKey>; readonly until: number } | undefined
  const find = () => {
    const at = options.now().getTime()
    if (current !== undefined && at < current.until) return current.keys
    const keys = discover(issuer, options)
    const next = { keys, until: at + freshMs }
    current = next
    keys.catch(() => {
      // Concurrent callers share this failure, so that nobody can make us send requests without end.
      if (current === next) current = { keys, until: options.now().getTime() + pauseMs }
    })
    return keys
  }
  return async (header, token) => (await find())(header, token)
}

function openKeys(url: string, { egress }: Pick<IssuerKeyOptions, 'egress'>): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    [customFetch]: egress.fetch,
  })
}

/**
 * Finds the keys of an issuer. They are at its own host: a document that names another one is as good as none.
 *
 * @throws {KeysUnreachable}
 */
async function discover(issuer: string, options: IssuerKeyOptions): Promise<JWTVerifyGetKey> {
  const document = await readDocument(issuer, options).catch((cause: unknown) => {
    throw new KeysUnreachable('The discovery document of an issuer cannot be read', { cause })
  })
  const isOwn = new URL(document.jwks_uri).origin === new URL(issuer).origin
  if (document.issuer !== issuer || !isOwn) {
    throw new KeysUnreachable('The discovery document of an issuer is of another one')
  }
  return openKeys(document.jwks_uri, options)
}

async function readDocument(issuer: string, { egress }: IssuerKeyOptions) {
  // The egress follows no redirect, and limits the answer.
  const response = await egress.fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) throw new KeysUnreachable(`Status ${response.status}`)
  return discovery.parse(await response.json())
}

/** Returns whether an error says that the keys could not be fetched, and nothing of the token. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof KeysUnreachable) return true
  if (!(error instanceof errors.JOSEError)) return true
  return error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC'
}
