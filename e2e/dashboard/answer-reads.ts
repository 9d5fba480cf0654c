import type { Page, Route } from 'playwright-core'

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

/** Takes the reads of a page over, before it is opened. */
export async function answerReads(page: Page, { begin, which }: AnswerReads): Promise<Reads> {
  let now = begin
  let waiting: Route[] = []
  await page.route('**/*', async (route) => {
    const request = route.request()
    const isRead = request.method() === 'GET' && request.resourceType() === 'fetch'
    if (!isRead || !which.test(new URL(request.url()).pathname)) return route.fallback()
    if (now !== 'never') return settleRead(route, now)
    waiting.push(route)
  })
  return {
    async answer(answering) {
      now = answering
      if (answering === 'never') return
      const held = waiting
      waiting = []
      await Promise.all(held.map((route) => settleRead(route, answering)))
    },
  }
}

async function settleRead(route: Route, answering: Exclude<Answering, 'never'>): Promise<void> {
  if (answering === 'service') return route.continue()
  if (answering === 'fails') return refuse(route, failure)
  if (answering === 'refuses') return refuse(route, rejection)
  const { pathname } = new URL(route.request().url())
  const end = Object.keys(answering).find((one) => pathname.endsWith(one))
  if (end === undefined) return route.continue()
  const response = await route.fetch()
  const said: object = await response.json()
  await route.fulfill({ response, json: { ...said, ...answering[end] } })
}

async function refuse(route: Route, problem: typeof failure | typeof rejection): Promise<void> {
  await route.fulfill({
    status: problem.status,
    contentType: 'application/problem+json',
    headers: { 'x-request-id': failureId },
    body: JSON.stringify(problem),
  })
}
