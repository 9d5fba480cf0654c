import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import type { WithAccessToken } from '../grant.ts'
import { ProviderError, type ProviderFailure } from '../provider-error.ts'
import { pauseFor, readRetryAfter } from '../rates/retry-after.ts'
import { failureOfCode, isOfConnection } from './errors.ts'

/** Describes how one workspace is called. */
export interface SlackCall {
  readonly call: ProviderCall
  /** Example: `https://slack.com/api`. */
  readonly apiUrl: string
  readonly withAccessToken: WithAccessToken
}

/** Describes one call of a method. With `json` it changes something; without, it only asks. */
export interface SlackRequest<T> {
  /** Example: `chat.postMessage`. */
  readonly method: string
  readonly query?: Readonly<Record<string, string>>
  readonly json?: Readonly<Record<string, unknown>>
  /** Describes what is used of the answer. */
  readonly answer: z.ZodType<T>
}

const envelope = z.object({ ok: z.boolean(), error: z.string().optional() })

/** A code, and no sentence that somebody could put into its place. */
const codePattern = /^[a-z][a-z0-9_]{0,63}$/

/** Where Slack says that it is too much and not until when. */
const defaultPauseMs = 30_000

/**
 * Calls a method once. Slack refuses with status 200 and `ok: false`; warnings are no rejections.
 *
 * @throws {ProviderError} with Slack's code
 * @see https://docs.slack.dev/apis/web-api#responses
 */
export function callSlack<T>(options: SlackCall, request: SlackRequest<T>): Promise<T> {
  return options.withAccessToken((accessToken) => callOnce(options, request, accessToken))
}

async function callOnce<T>(
  { call: { observe, ...call }, apiUrl }: SlackCall,
  { method, query, json, answer }: SlackRequest<T>,
  accessToken: string,
): Promise<T> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const charset = json === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  try {
    const response = await callProvider(call, {
      url: `${apiUrl}/${method}${search}`,
      headers: { authorization: `Bearer ${accessToken}`, ...charset },
      ...(json !== undefined && { method: 'POST', json }),
    })
    const value = readAnswer(response, answer, { changes: json !== undefined, now: call.now })
    observe?.(undefined)
    return value
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    observe?.(isOfConnection(error.failure, error.code) ? error : undefined)
    throw error.failure === 'rateLimited' ? withSlackCode(error) : error
  }
}

interface Judging {
  readonly changes: boolean
  readonly now: () => Date
}

function readAnswer<T>(response: OutboundAnswer, answer: z.ZodType<T>, judging: Judging): T {
  // A page of a proxy in the place of an answer says nothing of what Slack did.
  const unreadable = (code: string) =>
    rejection(judging.changes ? 'ambiguous' : 'unavailable', code)
  const value = readForeignJson(response.body)
  if (value === undefined) throw unreadable('not_json')
  const { data } = envelope.safeParse(value)
  if (data === undefined) throw unreadable('unknown_answer')
  if (!data.ok) throw refuse(response, data.error, judging)
  const read = answer.safeParse(value)
  if (!read.success) throw unreadable('unknown_answer')
  return read.data
}

function rejection(failure: ProviderFailure, code: string, retryAt?: Date): ProviderError {
  return new ProviderError({ provider: 'slack', failure, code, retryAt })
}

function refuse(
  { headers }: OutboundAnswer,
  error: string | undefined,
  { changes, now }: Judging,
): ProviderError {
  const code = codePattern.test(error ?? '') ? (error ?? '') : 'unknown_error'
  const failure = failureOfCode(code, changes)
  if (failure !== 'rateLimited') return rejection(failure, code)
  const at = now()
  const retryAt = readRetryAfter(headers['retry-after'], at) ?? pauseFor(at, defaultPauseMs)
  return rejection(failure, code, retryAt)
}

/** Slack's own code for a limit, whether it came with status 429 or 200. */
function withSlackCode(error: ProviderError): ProviderError {
  const { provider, failure, retryAt } = error
  return new ProviderError({ provider, failure, code: 'ratelimited', retryAt }, { cause: error })
}
