import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { callProvider, isUnaccepted, type ProviderCall } from '../call-provider.ts'
import { ProviderError, type ProviderFailure } from '../provider-error.ts'
import { readMattermostLimit } from './read-limit.ts'
import { concernsConnection } from '../chat/chat-error-table.ts'
import { failureOfId, notMattermost } from './errors.ts'

/** Describes the server that is called, and as whom. */
export interface MattermostCall {
  readonly call: ProviderCall
  /** Example: `https://chat.acme.dev`. */
  readonly baseUrl: string
  readonly accessToken: string
}

/** Describes one call. With `json` it changes something; without, it only asks. */
export interface MattermostRequest<T> {
  /** Default: GET. */
  readonly method?: 'POST' | 'PUT'
  /** Below `/api/v4`. Example: `/users/me`. */
  readonly path: string
  readonly json?: Readonly<Record<string, unknown>>
  /** Describes what is used of the answer. */
  readonly answer: z.ZodType<T>
}

/** Makes one call as the bot. @throws {ProviderError} */
export type AskMattermost = <T>(request: MattermostRequest<T>) => Promise<T>

const rejection = z.object({ id: z.string() })

/** An id, and no sentence that somebody could put into its place. */
const idPattern = /^[a-z][a-z0-9_.]{0,127}$/i

/** Lists the statuses whose body says more than they do. */
const explained = [400, 401, 403, 404, 405, 409, 413, 500, 501, 502, 503, 504]

/**
 * Calls Mattermost once. It refuses with an id, which decides; a rejection without one is of a server in between.
 *
 * @throws {ProviderError} with Mattermost's id as the code
 * @see https://developers.mattermost.com/api-documentation/#/#error-handling
 */
export async function callMattermost<T>(
  { call: { observe, ...call }, baseUrl, accessToken }: MattermostCall,
  { method, path, json, answer }: MattermostRequest<T>,
): Promise<T> {
  try {
    const response = await callProvider(
      { ...call, readLimit: readMattermostLimit },
      {
        url: `${baseUrl}/api/v4${path}`,
        headers: { authorization: `Bearer ${accessToken}` },
        ...(json !== undefined && { method: method ?? 'POST', json }),
        accept: explained,
      },
    )
    const value = readAnswer(call.provider, response, answer, json !== undefined)
    observe?.(undefined)
    return value
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    observe?.(concernsConnection(error.failure) ? error : undefined)
    throw error
  }
}

function readAnswer<T>(
  provider: string,
  response: OutboundAnswer,
  answer: z.ZodType<T>,
  changes: boolean,
): T {
  const { status } = response
  const value = readForeignJson(response.body)
  if (status >= 200 && status < 300) {
    const read = answer.safeParse(value)
    if (read.success) return read.data
    const failure = changes ? 'ambiguous' : 'unavailable'
    throw new ProviderError({ provider, failure, code: 'unknown_answer' })
  }
  const { id = '' } = rejection.safeParse(value).data ?? {}
  const code = idPattern.test(id) ? id : codeOfStatus(status, id !== '')
  const failure = failureOfId(code, changes) ?? failureOfStatus(response, changes)
  throw new ProviderError({ provider, failure, code })
}

/** Returns the code of a status. A rejection that is not of Mattermost says nothing about the token, the channel or the message. */
function codeOfStatus(status: number, isOfMattermost: boolean): string {
  // A proxy may limit the size as well, and a server that fails may have posted the message.
  const isPlain = isOfMattermost || status === 413 || status >= 500
  return isPlain ? `http_${status}` : notMattermost
}

function failureOfStatus(answer: OutboundAnswer, changes: boolean): ProviderFailure {
  const { status } = answer
  if (status >= 500) return changes && !isUnaccepted(answer) ? 'ambiguous' : 'unavailable'
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  return status === 404 ? 'notFound' : 'rejected'
}
