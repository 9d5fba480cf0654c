import { z } from 'zod'
import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import type { Outlet, SendOutcome } from './outlet.ts'
import { renderOtlp } from './render-otlp.ts'

/** Describes where an OTLP outlet sends to. */
export interface OtlpOutletOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly egress: Pick<Egress, 'request'>
  readonly version: string
  readonly now: () => Date
}

/** A receiver answers within 15 seconds, or the attempt has failed. */
const timeoutMs = 15_000
const answerMaxBytes = 64 * 1024

/** Lists the statuses that speak about the events and not about the receiver. */
const rejections: ReadonlySet<number> = new Set([400, 413, 422])

const partialAnswer = z.object({
  partialSuccess: z.object({ rejectedLogRecords: z.coerce.number().int().nonnegative() }),
})

/** Creates the outlet to a receiver of OTLP/HTTP with JSON. */
export function createOtlpOutlet({
  url,
  headers,
  egress,
  version,
  now,
}: OtlpOutletOptions): Outlet {
  return {
    name: 'otlp',
    batchMax: 200,
    async send(batch): Promise<SendOutcome> {
      const body = JSON.stringify(renderOtlp(batch, { version, observedAt: now() }))
      try {
        const answer = await egress.request(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
          timeoutMs,
          maxBytes: answerMaxBytes,
        })
        const { status } = answer
        if (status >= 200 && status < 300) {
          return {
            state: 'taken',
            rejected: Math.min(countRejected(answer.body), batch.events.length),
          }
        }
        return {
          state: rejections.has(status) ? 'refused' : 'failed',
          reason: `http_${status}`,
          retryAfterSeconds: parseRetryAfter(answer.headers['retry-after']),
        }
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
        return { state: 'failed', reason: error.code }
      }
    },
  }
}

/**
 * Returns how many records a receiver says that it has not kept. OTLP/HTTP, *Partial Success*: a client does not repeat
 * them.
 */
function countRejected(body: Buffer): number {
  try {
    return partialAnswer.parse(JSON.parse(body.toString('utf8'))).partialSuccess.rejectedLogRecords
  } catch {
    return 0
  }
}

function parseRetryAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
