import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { callProvider, type ProviderCall, type ProviderRequest } from '../call-provider.ts'
import type { CodehostBudget } from '../codehosts/repository.ts'
import {
  keepReadable,
  readAnswerOf,
  readPageNumber,
  type ReadPage,
} from '../codehosts/read-answer.ts'
import type { WithAccessToken } from '../grant.ts'

/** Describes how a GitLab is called. */
export interface GitlabRequestOptions {
  readonly call: ProviderCall
  /** Example: `https://gitlab.com`. It may have a path. */
  readonly webUrl: string
  readonly withAccessToken: WithAccessToken
}

type Options = Pick<ProviderRequest, 'accept' | 'json' | 'maxBytes'>

/** Calls GitLab's REST API as the person who connected it. */
export interface GitlabRequests {
  /** Below `/api/v4`. Example: `/projects/42/deployments`. @throws {ProviderError} */
  readonly get: (path: string, options?: Options) => Promise<OutboundAnswer>
  /** Sent once. @throws {ProviderError} */
  readonly send: (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: Options,
  ) => Promise<OutboundAnswer>
  /** Asks GitLab's GraphQL API, which changes nothing. @throws {ProviderError} */
  readonly query: (query: string, variables: Readonly<Record<string, string>>) => Promise<unknown>
  /** Returns what the last answer said of the rate limit; `undefined` where the instance has none. */
  readonly budget: () => CodehostBudget | undefined
}

/** Holds what was found. Each part that was not is `null`, beside an error. */
const queried = z.object({ data: z.unknown() })

/** Creates what sends the requests. */
export function createGitlabRequests(options: GitlabRequestOptions): GitlabRequests {
  const { call, webUrl, withAccessToken } = options
  let budget: CodehostBudget | undefined
  const ask = (request: ProviderRequest) =>
    withAccessToken(async (accessToken) => {
      const headers = { authorization: `Bearer ${accessToken}` }
      const answer = await callProvider(call, { ...request, headers })
      budget = readBudget(answer) ?? budget
      return answer
    })
  const at = (path: string) => `${webUrl}/api/v4${path}`
  return {
    get: (path, more) => ask({ ...more, url: at(path) }),
    send: (method, path, more) => ask({ ...more, method, url: at(path) }),
    async query(query, variables) {
      const url = `${webUrl}/api/graphql`
      const answer = await ask({ url, method: 'POST', json: { query, variables }, isSafe: true })
      return readAnswer(answer, queried).data
    },
    budget: () => budget,
  }
}

/** GitLab's names have no `X-`. @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/ */
function readBudget({ headers }: OutboundAnswer): CodehostBudget | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers[`ratelimit-${name}`] ?? Number.NaN),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  if (![limit, remaining, reset].every(Number.isSafeInteger)) return undefined
  return { limit, remaining, resetsAt: new Date(reset * 1000) }
}

/** Returns the body of an answer in the form that is needed. @throws {ProviderError} for another form. */
export function readAnswer<Shape extends z.ZodType>(
  answer: OutboundAnswer,
  shape: Shape,
): z.output<Shape> {
  return readAnswerOf('gitlab', answer, shape)
}

const pageItems = 100

/** Returns a page of a list, by its number. An item that has not the form that is needed does not cost the others. */
export async function getPage<Item extends z.ZodType>(
  { get }: Pick<GitlabRequests, 'get'>,
  { path, page = '1' }: { readonly path: string; readonly page?: string | undefined },
  { list, item }: { readonly list: z.ZodType<readonly unknown[]>; readonly item: Item },
): Promise<ReadPage<z.output<Item>>> {
  const number = readPageNumber(page)
  const sign = path.includes('?') ? '&' : '?'
  const answer = await get(`${path}${sign}per_page=${pageItems}&page=${number}`)
  const next = Number(answer.headers['x-next-page'] ?? '')
  const total = readTotal(answer)
  const nextPage = next > number ? String(next) : undefined
  return { ...keepReadable(readAnswer(answer, list), item), nextPage, total }
}

/** Returns how many items a list has; `undefined` above 10,000, where GitLab does not count. */
export function readTotal({ headers }: OutboundAnswer): number | undefined {
  const text = headers['x-total']
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
