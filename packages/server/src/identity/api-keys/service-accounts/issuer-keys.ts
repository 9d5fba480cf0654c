import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Egress } from '../../../egress/create-egress.ts'
import { readForeignJson } from '../../../egress/foreign-json.ts'
import type { ServiceAccount } from './service-account.ts'

/** Finds the public keys of the issuers of service accounts. */
export interface IssuerKeys {
  /**
   * Returns what finds the key of a token: among the pasted keys, or those that the issuer publishes.
   *
   * @throws {IssuerUnreachable}
   */
  keysOf(account: ServiceAccount): Promise<JWTVerifyGetKey>
}

/** Says that an issuer did not say where its keys are. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable'
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.string() })
const discoveredMs = 3600 * 1000
/** An issuer that fails is left alone for a while: strangers who know the names cause requests too. */
const failedMs = 5_000
const mostIssuers = 500
const limits = { timeoutMs: 5_000, maxBytes: 256 * 1024 }
const keySet = z.looseObject({ keys: z.array(z.looseObject({})) })

interface Known {
  readonly keys: Promise<JWTVerifyGetKey>
  /** Holds the moment at which the issuer is asked again, in milliseconds. */
  until: number
}

/** Describes the dependencies of `createIssuerKeys`. */
interface IssuerKeysDeps {
  readonly egress: Pick<Egress, 'request'>
  readonly now: () => Date
}

/**
 * Creates the finder of keys. An issuer is asked through the egress guard, and only after a token named an issuer that an
 * admin has pinned to the key.
 *
 * @see OpenID Connect Discovery 1.0 §4; Kubernetes serves it at its issuer.
 */
export function createIssuerKeys({ egress, now }: IssuerKeysDeps): IssuerKeys {
  const known = new Map<string, Known>()
  const discover = async (issuer: string): Promise<JWTVerifyGetKey> => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { status, body } = await egress.request(url, limits)
    const { data } = metadata.safeParse(status === 200 ? readForeignJson(body) : undefined)
    // Another issuer's keys would verify another issuer's tokens.
    if (data?.issuer !== issuer) throw new IssuerUnreachable('It does not describe this issuer')
    return createRemoteJWKSet(new URL(data.jwks_uri), {
      timeoutDuration: limits.timeoutMs,
      [customFetch]: createFetchKeys({ egress, now }),
    })
  }
  const ask = (issuer: string): Promise<JWTVerifyGetKey> => {
    const at = now().getTime()
    const before = known.get(issuer)
    if (before !== undefined && at < before.until) return before.keys
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size >= mostIssuers) known.delete(oldest)
    const entry: Known = { keys: discover(issuer), until: at + discoveredMs }
    known.set(issuer, entry)
    entry.keys.catch(() => {
      entry.until = now().getTime() + failedMs
    })
    return entry.keys
  }
  return {
    async keysOf({ issuer, keys }) {
      if (keys !== null) return createLocalJWKSet({ keys: keys.keys.map((key) => ({ ...key })) })
      try {
        return await ask(issuer)
      } catch (error) {
        if (error instanceof IssuerUnreachable) throw error
        throw new IssuerUnreachable('There is no answer', { cause: error })
      }
    },
  }
}

/** Creates what reads the published keys. After a failure it throws the same for a while, without a call. */
function createFetchKeys({ egress, now }: IssuerKeysDeps): (url: string) => Promise<Response> {
  let failed: { readonly error: unknown; readonly until: number } | undefined
  const read = async (url: string): Promise<Response> => {
    const { status, body } = await egress.request(url, limits)
    const isKeySet = status === 200 && keySet.safeParse(readForeignJson(body)).success
    if (!isKeySet) throw new IssuerUnreachable('It publishes no keys')
    return new Response(body)
  }
  return async (url) => {
    if (failed !== undefined && now().getTime() < failed.until) throw failed.error
    try {
      const answer = await read(url)
      failed = undefined
      return answer
    } catch (error) {
      failed = { error, until: now().getTime() + failedMs }
      throw error
    }
  }
}
