import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import { ProviderError, type ProviderFailure } from '../provider-error.ts'
import { pauseFor, readRetryAfter } from '../rates/retry-after.ts'
import { concernsConnection } from '../chat/chat-error-table.ts'
import { failureOfCode, tooLargeCode } from './errors.ts'
import type { Pauses } from './pauses.ts'

/** Describes how the API is called with the bot of this server. */
export interface DiscordCall {
  readonly call: ProviderCall
  /** Example: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly botToken: string
  readonly pauses: Pauses
}

/** Describes one call. */
export interface DiscordRequest<T> {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Example: `/channels/1/messages`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Describes what is used of the answer. */
  readonly answer: z.ZodType<T>
}

/**
 * Names the client, as Discord requires of every request: without it, code 40333.
 *
 * @see https://docs.discord.com/developers/reference#user-agent
 */
export const userAgent = 'DiscordBot (https://github.com/signalbox/signalbox, 1.0)'

/** Names the version of the API in each path: without it, Discord answers as version 6, which is deprecated. */
export const apiVersion = 'v10'

/** Lists the statuses whose body says more than the status. */
const rejections = [400, 401, 403, 404, 405, 409, 413, 429]

const rejection = z.object({
  code: z.int().nonnegative().optional().catch(undefined),
  retry_after: z.number().nonnegative().optional().catch(undefined),
  global: z.boolean().optional().catch(undefined),
  errors: z.unknown().optional(),
})

const defaultPauseMs = 30_000

/**
 * Calls the API once. What Discord names as a limit is kept: until its end, nothing is sent that it would refuse.
 *
 * @throws {ProviderError} with Discord's code
 * @see https://docs.discord.com/developers/topics/rate-limits
 */
export async function callDiscord<T>(
  { call: { observe, ...call }, apiUrl, botToken, pauses }: DiscordCall,
  { method = 'GET', path, query, json, answer }: DiscordRequest<T>,
): Promise<T> {
  const route = routeOf(method, path)
  const retryAt = pauses.find(route, call.now())
  if (retryAt !== undefined) throw refuse('rateLimited', 'rate_limited', retryAt)
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  try {
    // The body says which limit it is.
    const response = await callProvider(
      { ...call, readLimit: () => undefined },
      {
        method,
        url: `${apiUrl}/${apiVersion}${path}${search}`,
        headers: { authorization: `Bot ${botToken}`, 'user-agent': userAgent },
        ...(json !== undefined && { json }),
        accept: rejections,
      },
    )
    noteLimit(pauses, route, response, call.now())
    const value = readAnswer(response, answer, { changes: method !== 'GET', now: call.now() })
    observe?.(undefined)
    return value
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    observe?.(concernsConnection(error.failure) ? error : undefined)
    throw error
  }
}

/** Returns the name of a limit: the method and the path, with the id of the channel or the server, and of nothing below. */
function routeOf(method: string, path: string): string {
  const [, top = '', id = '', ...rest] = path.split('/')
  return [method, top, id, ...rest.map((part) => (/^\d+$/.test(part) ? ':id' : part))].join('/')
}

function noteLimit(
  pauses: Pauses,
  route: string,
  { status, headers, body }: OutboundAnswer,
  now: Date,
): void {
  if (status === 429) {
    const data = readRejection(body)
    const isGlobal = data?.global === true || headers['x-ratelimit-global'] === 'true'
    pauses.begin(limitedUntil(headers, data, now), isGlobal ? undefined : route)
    return
  }
  const seconds = Number(headers['x-ratelimit-reset-after'])
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(seconds) && seconds > 0) {
    pauses.begin(new Date(now.getTime() + Math.min(seconds, 3600) * 1000), route)
  }
}

type Rejection = z.output<typeof rejection>

function readRejection(body: Buffer): Rejection | undefined {
  return rejection.safeParse(readForeignJson(body)).data
}

/** The header is in whole seconds, and the body has fractions of them. The later counts. */
function limitedUntil(
  headers: OutboundAnswer['headers'],
  data: Rejection | undefined,
  now: Date,
): Date {
  const said = [
    readRetryAfter(headers['retry-after'], now),
    data?.retry_after === undefined ? undefined : pauseFor(now, data.retry_after * 1000),
  ].flatMap((at) => at?.getTime() ?? [])
  return said.length === 0 ? pauseFor(now, defaultPauseMs) : new Date(Math.max(...said))
}

interface Judging {
  readonly changes: boolean
  readonly now: Date
}

function readAnswer<T>(response: OutboundAnswer, answer: z.ZodType<T>, judging: Judging): T {
  const { status, body } = response
  if (status >= 400) throw rejectionOf(response, judging.now)
  const read = answer.safeParse(readForeignJson(body))
  if (read.success) return read.data
  throw refuse(judging.changes ? 'ambiguous' : 'unavailable', 'unknown_answer')
}

function rejectionOf({ status, headers, body }: OutboundAnswer, now: Date): ProviderError {
  const data = readRejection(body)
  const code = data?.code === undefined || data.code === 0 ? `http_${status}` : String(data.code)
  if (status === 429) {
    const name = data?.code === undefined || data.code === 0 ? 'rate_limited' : code
    return refuse('rateLimited', name, limitedUntil(headers, data, now))
  }
  if (code === '50035' && isTooLarge(data?.errors)) return refuse('rejected', tooLargeCode)
  return refuse(failureOfCode(code, status), code)
}

/** Returns whether a refused form is too long somewhere. Discord's own texts are not kept. */
function isTooLarge(errors: unknown): boolean {
  return /"code":"(?:BASE_TYPE_MAX_LENGTH|BASE_TYPE_BAD_LENGTH|MAX_EMBED_SIZE_EXCEEDED|LIST_TYPE_MAX_LENGTH)"/.test(
    JSON.stringify(errors ?? {}),
  )
}

function refuse(failure: ProviderFailure, code: string, retryAt?: Date): ProviderError {
  return new ProviderError({ provider: 'discord', failure, code, retryAt })
}
