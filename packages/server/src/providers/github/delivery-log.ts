import { z } from 'zod'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import { githubHeaders, nextLink, readAnswer, readItems } from './api-request.ts'
import { signAppToken } from './app-token.ts'
import type { DeliveryLog } from '../delivery-log.ts'
import type { GithubApp } from './application.ts'
import { externalId, list } from '../codehosts/fields.ts'
import { moment } from './shapes.ts'

/** Describes the log of deliveries that is read. */
export interface GithubDeliveryLogOptions {
  readonly call: ProviderCall
  /** Example: `https://api.github.com`. */
  readonly apiUrl: string
  readonly app: Pick<GithubApp, 'appId' | 'privateKey'>
  /**
   * `failure`: what no server took, which is all that is missing where webhooks reach this server. `all`: what another
   * address took as well: for a server that webhooks cannot reach, and one whose database was restored from a backup.
   */
  readonly status: 'failure' | 'all'
}

const line = z
  .object({ id: externalId, guid: z.string().min(1), delivered_at: moment })
  .transform((entry) => ({
    logId: entry.id,
    deliveryId: entry.guid,
    deliveredAt: entry.delivered_at,
  }))
const content = z.object({
  request: z.object({
    headers: z.record(z.string(), z.unknown()).nullish(),
    payload: z.unknown(),
  }),
})

const pageItems = 100
/** GitHub sends 25 MiB at most, and its log repeats what was answered. */
const bytesMax = 30 * 1024 * 1024

/**
 * Reads what GitHub keeps, for three days, of the webhooks of an App. In a payload, an id beyond 2^53 is the text of its digits.
 *
 * @see https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 */
export function createGithubDeliveryLog(options: GithubDeliveryLogOptions): DeliveryLog {
  const { call, apiUrl, app, status } = options
  const url = `${apiUrl}/app/hook/deliveries`
  const asApp = async () => githubHeaders(await signAppToken(app, call.now()))
  return {
    async listDeliveries(cursor, signal) {
      const query = new URLSearchParams({
        per_page: String(pageItems),
        ...(status === 'failure' && { status }),
        ...(cursor !== undefined && { cursor }),
      })
      const request = { url: `${url}?${query.toString()}`, headers: await asApp(), signal }
      const answer = await callProvider(call, request)
      return {
        deliveries: readItems(readAnswer(answer, list), line),
        nextCursor: nextLink(answer)?.searchParams.get('cursor') ?? undefined,
      }
    },
    async getDelivery(logId, signal) {
      const answer = await callProvider(call, {
        url: `${url}/${encodeURIComponent(logId)}`,
        headers: await asApp(),
        accept: [404],
        maxBytes: bytesMax,
        signal,
      })
      if (answer.status === 404) return undefined
      const { headers, payload } = readAnswer(answer, content).request
      const texts = Object.entries(headers ?? {}).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      )
      const body = Buffer.from(JSON.stringify(payload ?? null))
      return { headers: Object.fromEntries(texts), body }
    },
  }
}
