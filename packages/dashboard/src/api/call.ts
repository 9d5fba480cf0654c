import { ApiProblem, cutOff, nowhere, toProblem, unreachable } from './problem.ts'
import type { AnswerOf, ItemOf, ListRoute, PageOf, ReadRoute, RequestOf, Route } from './routes.ts'

/** Describes what the shell does for every call: ask for the password again, and show the way in when the session is over. */
export interface CallHooks {
  /** Answers whether the person confirmed. */
  readonly confirmIdentity: () => Promise<boolean>
  /** Asks whether anybody is signed in still. */
  readonly checkSession: () => void
}

let hooks: CallHooks | undefined

/** Sets what every call asks of the shell. */
export function setCallHooks(next: CallHooks): void {
  hooks = next
}

/**
 * Asks the service, as the person who is signed in. A confirmation that the server wants first is asked for here, once.
 *
 * @throws {ApiProblem} whatever the server refuses; `unreachable` when there is no answer.
 */
export async function call<R extends Route>(
  route: R,
  request: RequestOf<R> = {},
  signal?: AbortSignal,
): Promise<AnswerOf<R>> {
  const text = await (await send(route, request, signal)).text()
  const answer: AnswerOf<R> = text === '' ? undefined : JSON.parse(text)
  return answer
}

/** Returns one page of a list; the first one without a cursor. */
export async function callPage<R extends ListRoute>(
  route: R,
  request: RequestOf<R>,
  signal?: AbortSignal,
): Promise<PageOf<ItemOf<R>>> {
  const page: PageOf<ItemOf<R>> = JSON.parse(await (await send(route, request, signal)).text())
  return page
}

/** A file of the service, and what it is to be called. */
export interface ServiceFile {
  readonly name: string
  readonly content: Blob
}

/**
 * Returns what an endpoint answers that writes a file. A link would save it as well, but a refusal would be a failed download that
 * does not say why. The browser holds it as it holds its downloads, a large one on disk.
 *
 * @throws {ApiProblem} as {@link call}; `cut_off` when its end does not come.
 */
export async function callFile<R extends ReadRoute>(
  route: R,
  request: RequestOf<R>,
  signal: AbortSignal,
): Promise<ServiceFile> {
  const answer = await send(route, request, signal)
  const content = await answer.blob().catch((error: unknown) => {
    throw signal.aborted ? error : cutOff()
  })
  const match = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')
  return { name: match?.[1] ?? 'export', content }
}

async function send<R extends Route>(
  route: R,
  request: RequestOf<R>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await sendOnce(route, request, signal)
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    // A wrong password is 401 as well: whether the session is over, `GET /me` says.
    if (error.status === 401 && route !== 'GET /me') hooks?.checkSession()
    if (error.code !== 'step_up_required' || !(await hooks?.confirmIdentity())) throw error
    return sendOnce(route, request, signal)
  }
}

async function sendOnce<R extends Route>(
  route: R,
  { params, query, cursor, body, ifMatch }: RequestOf<R>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  const answer = await fetch(toUrl(path, params, { ...query, cursor }), {
    method,
    ...(signal && { signal }),
    headers: {
      'X-Requested-By': 'dashboard',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable()
  })
  if (answer.ok) return answer
  throw toProblem(await answer.text(), answer)
}

/**
 * Returns the address of an endpoint. A value in the path is escaped, and a query parameter that is not given is left out.
 *
 * @throws {ApiProblem} `not_found` for a value that would lead to another endpoint.
 */
export function toUrl(path: string, params: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(String(values.get(name))),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
    }
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}

/** Browsers resolve `.` and `..` in an address, escaped or not, and ids come from addresses that others may have made. */
function toSegment(value: string): string {
  if (value === '.' || value === '..') throw nowhere()
  return encodeURIComponent(value)
}
