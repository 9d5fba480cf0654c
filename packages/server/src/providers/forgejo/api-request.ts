import type { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { callProvider, type ProviderCall, type ProviderRequest } from '../call-provider.ts'
import {
  keepReadable,
  readAnswerOf,
  readPageNumber,
  type ReadPage,
} from '../codehosts/read-answer.ts'
import type { WithAccessToken } from '../grant.ts'

/** Describes how an instance is called. */
export interface ForgejoRequestOptions {
  readonly call: ProviderCall
  /** Example: `https://codeberg.org`. It may have a path. */
  readonly webUrl: string
  readonly withAccessToken: WithAccessToken
}

type Options = Pick<ProviderRequest, 'accept' | 'json'>

/** Calls the REST API of Forgejo and Gitea as the person who connected it. */
export interface ForgejoRequests {
  /** Below `/api/v1`. Example: `/user/repos`. @throws {ProviderError} */
  readonly get: (path: string, options?: Options) => Promise<OutboundAnswer>
  /** Sent once. @throws {ProviderError} */
  readonly send: (
    method: 'POST' | 'DELETE',
    path: string,
    options?: Options,
  ) => Promise<OutboundAnswer>
}

/** Creates what sends the requests. */
export function createForgejoRequests(options: ForgejoRequestOptions): ForgejoRequests {
  const { call, webUrl, withAccessToken } = options
  const ask = (request: ProviderRequest) =>
    withAccessToken((accessToken) =>
      callProvider(call, { ...request, headers: { authorization: `Bearer ${accessToken}` } }),
    )
  const at = (path: string) => `${webUrl}/api/v1${path}`
  return {
    get: (path, more) => ask({ ...more, url: at(path) }),
    send: (method, path, more) => ask({ ...more, method, url: at(path) }),
  }
}

/** Returns the body of an answer in the form that is needed. @throws {ProviderError} for another form. */
export function readAnswer<Shape extends z.ZodType>(
  answer: OutboundAnswer,
  shape: Shape,
): z.output<Shape> {
  return readAnswerOf('forgejo', answer, shape)
}

/** Limits a page. An instance whose own limit is lower answers less. */
const pageItems = 50

/** Says how a page is read. */
interface PageShape<Item> {
  readonly list: z.ZodType<readonly unknown[]>
  readonly item: Item
  /** Reads how many items there are on all pages out of the body, where no header says so. */
  readonly countOf?: z.ZodType<number>
}

/** Returns a page of a list, by its number. An item that has not the form that is needed does not cost the others. */
export async function getPage<Item extends z.ZodType>(
  { get }: Pick<ForgejoRequests, 'get'>,
  { path, page = '1' }: { readonly path: string; readonly page?: string | undefined },
  { list, item, countOf }: PageShape<Item>,
): Promise<ReadPage<z.output<Item>>> {
  const number = readPageNumber(page)
  const sign = path.includes('?') ? '&' : '?'
  const answer = await get(`${path}${sign}limit=${pageItems}&page=${number}`)
  const listed = readAnswer(answer, list)
  const total = readTotal(answer) ?? (countOf && readAnswer(answer, countOf))
  const hasNext = isFollowed(answer, { number, count: listed.length, total })
  const nextPage = hasNext ? String(number + 1) : undefined
  return { ...keepReadable(listed, item), nextPage, total }
}

/** Lists that are paged by a link say so; the others have a total, and the last page of a few more than it says is empty. */
function isFollowed(
  { headers }: OutboundAnswer,
  of: { readonly number: number; readonly count: number; readonly total: number | undefined },
): boolean {
  const { number, count, total } = of
  const { link } = headers
  if (link !== undefined && link !== '') return link.includes('rel="next"')
  if (count === 0) return false
  return total === undefined ? count === pageItems : number * count < total
}

/** Returns how many items a list has, where the answer says so. */
export function readTotal({ headers }: OutboundAnswer): number | undefined {
  const text = headers['x-total-count'] ?? headers['x-total']
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
