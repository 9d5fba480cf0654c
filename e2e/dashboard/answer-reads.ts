import type { CDPSession, Page } from 'playwright-core'
import { openTools } from './page/page-pool.ts'

/** Describes how the reads of a page are answered. */
export type Answering =
  /** The service answers. */
  | 'service'
  /** Nothing comes, for as long as it stays so. */
  | 'never'
  /** The service has failed. */
  | 'fails'
  /** The role is not enough. */
  | 'refuses'
  /** The service answers, and what is named is put in the place of what it said: path's end -> fields of its answer. */
  | Emptied

export type Emptied = Readonly<Record<string, object>>

export const failure = {
  code: 'internal',
  status: 500,
  title: 'Something failed here',
  detail: 'The storage does not answer. Try again in a moment.',
} as const
export const failureId = 'req_of_the_test'

export const rejection = {
  code: 'role_forbidden',
  status: 403,
  title: 'The role is not enough',
  detail: 'This needs the admin role. Ask an owner or admin.',
} as const

/** The reads of one page, in the hands of a test. */
export interface Reads {
  /** From now on; what was being waited for is answered so as well. */
  answer(answering: Answering): Promise<void>
}

interface AnswerReads {
  readonly begin: Answering
  /** Selects the reads by their path. The service answers the others. */
  readonly which: RegExp
}

/** A request of a page that waits, or what the service has answered to it. */
interface Paused {
  readonly requestId: string
  readonly request: { readonly method: string; readonly url: string }
  readonly responseStatusCode?: number
}

/**
 * Takes the reads of a page over, before it is opened, by the developer tools. Where `page.route` takes requests over, the browser
 * keeps nothing, and loads and compiles the dashboard anew for each page.
 */
export async function answerReads(page: Page, { begin, which }: AnswerReads): Promise<Reads> {
  let now = begin
  let waiting: Paused[] = []
  const tools = await openTools(page)
  // The page may have been left meanwhile, and its requests with it.
  const settle = (read: Paused, answering: Exclude<Answering, 'never'>) =>
    settleRead(tools, read, answering).catch(() => undefined)
  tools.on('Fetch.requestPaused', (read) => {
    const { method, url } = read.request
    if (method !== 'GET' || !which.test(new URL(url).pathname)) void settle(read, 'service')
    else if (now === 'never') waiting.push(read)
    else void settle(read, now)
  })
  await tools.send('Fetch.enable', { patterns: [{ resourceType: 'Fetch' }] })
  return {
    async answer(answering) {
      now = answering
      if (answering === 'never') return
      const held = waiting
      waiting = []
      await Promise.all(held.map((read) => settle(read, answering)))
    },
  }
}

async function settleRead(
  tools: CDPSession,
  { requestId, request, responseStatusCode }: Paused,
  answering: Exclude<Answering, 'never'>,
): Promise<void> {
  if (answering === 'fails') return refuse(tools, requestId, failure)
  if (answering === 'refuses') return refuse(tools, requestId, rejection)
  const { pathname } = new URL(request.url)
  const emptied = answering === 'service' ? {} : answering
  const [, fields] = Object.entries(emptied).find(([end]) => pathname.endsWith(end)) ?? []
  if (fields === undefined || responseStatusCode === undefined) {
    // Its answer is paused as well, where something is put in its place.
    await tools.send('Fetch.continueRequest', {
      requestId,
      interceptResponse: fields !== undefined,
    })
    return
  }
  const { body } = await tools.send('Fetch.getResponseBody', { requestId })
  const said: object = JSON.parse(Buffer.from(body, 'base64').toString())
  await fulfill(tools, requestId, responseStatusCode, { ...said, ...fields })
}

const refuse = (
  tools: CDPSession,
  requestId: string,
  problem: typeof failure | typeof rejection,
): Promise<void> => fulfill(tools, requestId, problem.status, problem)

async function fulfill(
  tools: CDPSession,
  requestId: string,
  responseCode: number,
  said: object,
): Promise<void> {
  await tools.send('Fetch.fulfillRequest', {
    requestId,
    responseCode,
    responseHeaders: [
      { name: 'content-type', value: 'application/problem+json' },
      { name: 'x-request-id', value: failureId },
    ],
    body: Buffer.from(JSON.stringify(said)).toString('base64'),
  })
}
