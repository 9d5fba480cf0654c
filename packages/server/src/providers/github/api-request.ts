import type { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import {
  callProvider,
  readProviderJson,
  type ProviderCall,
  type ProviderRequest,
} from '../call-provider.ts'
import type { CodehostBudget } from '../codehosts/repository.ts'
import { keepReadable } from '../codehosts/read-answer.ts'
import { ProviderError } from '../provider-error.ts'
import type { AnswerCache } from './answer-cache.ts'
import {
  graphqlUrl,
  readQueryAnswer,
  type GithubQuery,
  type GithubQueryAnswer,
} from './query-answer.ts'
import type { RateBudgets } from './rate-budgets.ts'

/** Holds the cached answers and rate budgets that all calls share. */
export interface GithubMemory {
  readonly answers: AnswerCache
  readonly budgets: RateBudgets
}

/** Describes the installation that is called. */
export interface GithubApiOptions {
  readonly call: ProviderCall
  /** Example: `https://api.github.com`. */
  readonly apiUrl: string
  /** The installation. Digits. */
  readonly accountId: string
  /** A token of the installation. @throws {ProviderError} */
  readonly token: () => Promise<string>
  /** GitHub refused a token that `token` gave, so the next one has to be another. */
  readonly forgetToken: (refused: string) => void
  readonly memory: GithubMemory
}

/** Calls GitHub's REST API as an installation. */
export interface GithubRequests {
  /** Below `apiUrl`. Example: `/repositories/42/deployments?per_page=100`. @throws {ProviderError} */
  readonly get: (
    path: string,
    options?: Pick<ProviderRequest, 'accept' | 'maxBytes'>,
  ) => Promise<OutboundAnswer>
  /** Sent once, but for a token that was refused. @throws {ProviderError} */
  readonly post: (
    path: string,
    options: Pick<ProviderRequest, 'json' | 'accept'>,
  ) => Promise<OutboundAnswer>
  /** Reads without the answers that are kept. @throws {ProviderError} */
  readonly getFresh: (
    path: string,
    options?: Pick<ProviderRequest, 'accept'>,
  ) => Promise<OutboundAnswer>
  /** Sets or deletes what is named, so that a repeat changes nothing. @throws {ProviderError} */
  readonly write: (
    method: 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options: Pick<ProviderRequest, 'json' | 'accept'>,
  ) => Promise<OutboundAnswer>
  /** Asks by GraphQL. The query only reads. @throws {ProviderError} also where the answer says nothing but that it failed. */
  readonly query: (json: GithubQuery) => Promise<GithubQueryAnswer>
  readonly budget: () => CodehostBudget | undefined
}

/** @see https://docs.github.com/en/rest/about-the-rest-api/api-versions */
const apiVersion = '2022-11-28'

/** Returns the headers of every request, with the token of the caller. */
export function githubHeaders(token: string): Record<string, string> {
  return {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': apiVersion,
  }
}

/** Creates what sends the requests of one installation. */
export function createGithubRequests(options: GithubApiOptions): GithubRequests {
  const { apiUrl, accountId, token, forgetToken, memory } = options
  const { answers, budgets } = memory
  const call = noting(options.call, (headers) => budgets.note(accountId, headers))
  const send = (request: ProviderRequest, carried: string): Promise<OutboundAnswer> =>
    callProvider(call, {
      ...request,
      headers: { ...githubHeaders(carried), ...request.headers },
    })
  // A refused token means that nothing was done: once more, with another.
  const sendWithGoodToken = async (request: ProviderRequest): Promise<OutboundAnswer> => {
    const carried = await token()
    try {
      return await send(request, carried)
    } catch (error) {
      if (!(error instanceof ProviderError) || error.failure !== 'unauthorized') throw error
      forgetToken(carried)
      return send(request, await token())
    }
  }
  // A token has the permissions of the moment when it was made, so the next call after a rejection gets another.
  const sendAsGranted = async (request: ProviderRequest): Promise<OutboundAnswer> => {
    const carried = await token()
    try {
      return await sendWithGoodToken(request)
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'forbidden') forgetToken(carried)
      throw error
    }
  }
  return {
    async get(path, more) {
      const url = `${apiUrl}${path}`
      const cached = answers.find(accountId, url)
      const headers = cached && { 'if-none-match': cached.etag }
      const answer = await sendWithGoodToken({ ...more, url, ...(headers && { headers }) })
      if (answer.status === 304 && cached !== undefined) return cached.answer
      if (answer.status === 200) answers.keep(accountId, url, answer)
      return answer
    },
    post: (path, more) => sendWithGoodToken({ ...more, method: 'POST', url: `${apiUrl}${path}` }),
    getFresh: (path, more) => sendAsGranted({ ...more, url: `${apiUrl}${path}` }),
    write: (method, path, more) => sendAsGranted({ ...more, method, url: `${apiUrl}${path}` }),
    async query(json) {
      const url = graphqlUrl(apiUrl)
      return readQueryAnswer(await sendAsGranted({ url, method: 'POST', json, isSafe: true }))
    },
    budget: () => budgets.find(accountId),
  }
}

/** Reads the headers of each answer, also of those that are failures. */
function noting(
  call: ProviderCall,
  note: (headers: OutboundAnswer['headers']) => void,
): ProviderCall {
  return {
    ...call,
    egress: {
      async request(url, options) {
        const answer = await call.egress.request(url, options)
        note(answer.headers)
        return answer
      },
    },
  }
}

/** Returns the body in the form that is needed. What is JSON and something else is a provider in trouble, too. @throws {ProviderError} */
export function readAnswer<Shape extends z.ZodType>(
  answer: OutboundAnswer,
  shape: Shape,
): z.output<Shape> {
  const { data, error } = shape.safeParse(readProviderJson('github', answer))
  if (error === undefined) return data
  const of = { provider: 'github', failure: 'unavailable', code: 'unexpected_answer' } as const
  throw new ProviderError(of)
}

/** Returns the items that have the form that is needed: one that has not does not cost the others. */
export function readItems<Shape extends z.ZodType>(
  items: readonly unknown[],
  shape: Shape,
): readonly z.output<Shape>[] {
  return keepReadable(items, shape).items
}

/**
 * Returns the address of the next page (RFC 8288), of which only parameters are used: where it leads is for us to say.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function nextLink(answer: Pick<OutboundAnswer, 'headers'>): URL | undefined {
  return linkTo(answer, /;\s*rel="?next"?/)
}

/** Returns the number of the last page; `undefined` where this is the last. */
export function lastPageOf(answer: Pick<OutboundAnswer, 'headers'>): number | undefined {
  const page = Number(linkTo(answer, /;\s*rel="?last"?/)?.searchParams.get('page') ?? Number.NaN)
  return Number.isSafeInteger(page) && page > 0 ? page : undefined
}

function linkTo({ headers }: Pick<OutboundAnswer, 'headers'>, relation: RegExp): URL | undefined {
  const header = (headers['link'] ?? '').split(',').find((link) => relation.test(link))
  const address = /<([^<>]*)>/.exec(header ?? '')?.[1] ?? ''
  return URL.canParse(address) ? new URL(address) : undefined
}
