import { ApiProblem, cutOff, nowhere, toProblem, unreachable } from './problem.ts'
import { noteOutcome } from './reachability.ts'
import type { AnswerOf, ItemOf, ListRoute, PageOf, ReadRoute, RequestOf, Route } from './routes.ts'

/**
 * Describes what the shell does for every call: it confirms the person's identity, asks other people for the approval that
 * a write lacks, and shows the sign-in when the session is over.
 */
export interface CallHooks {
  /** Returns whether the person confirmed their identity. */
  readonly confirmIdentity: () => Promise<boolean>
  /** Checks whether the session still exists. */
  readonly checkSession: () => void
  /** Lets the person ask for the approval. Returns what the write ends with: `approval_requested`, or its own problem. */
  readonly requestApproval: (problem: ApiProblem, body: unknown) => Promise<ApiProblem>
}

let hooks: Partial<CallHooks> = {}

/** Sets some of the hooks of every call. Each part of the shell sets its own. */
export function setCallHooks(next: Partial<CallHooks>): void {
  hooks = { ...hooks, ...next }
}

/**
 * Calls an endpoint as the person who is signed in. When the server requires a confirmation of the identity, it asks
 * for one and repeats the call, once. When a write needs the approval of others, it lets the person ask for it.
 *
 * @throws {ApiProblem} for every rejection of the server; `unreachable` when there is no response.
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

/** Holds a file of the service, and its name. */
export interface ServiceFile {
  readonly name: string
  readonly content: Blob
}

/**
 * Returns the file that an endpoint sends. A plain link would save it too, but a rejection would show as a failed
 * download without a reason. The browser holds the content like its downloads, a large one on disk.
 *
 * @throws {ApiProblem} as {@link call}; `cut_off` when the file is incomplete.
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
    return await sendConfirmed(route, request, signal)
  } catch (error) {
    // Without the body of a request there is nothing to ask for, such as where a request itself lacks approvals.
    const canAsk = error instanceof ApiProblem && error.code === 'approval_required'
    if (!canAsk || error.fields['request'] === undefined) throw error
    throw (await hooks.requestApproval?.(error, request.body)) ?? error
  }
}

async function sendConfirmed<R extends Route>(
  route: R,
  request: RequestOf<R>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await sendOnce(route, request, signal)
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    // A wrong password is a 401 as well: only `GET /me` tells whether the session is over.
    if (error.status === 401 && route !== 'GET /me') hooks.checkSession?.()
    if (error.code !== 'step_up_required' || !(await hooks.confirmIdentity?.())) throw error
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
    if (signal?.aborted) throw error
    noteOutcome(method, 0)
    throw unreachable(method === 'GET' ? 'read' : 'write')
  })
  noteOutcome(method, answer.status)
  if (answer.ok) return answer
  throw toProblem(await answer.text(), answer)
}

/**
 * Returns the address of an endpoint. Values of the path are escaped, and empty query parameters are left out.
 *
 * @throws {ApiProblem} `not_found` for a value that would address another endpoint.
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

/**
 * Escapes a value of a path. Browsers resolve `.` and `..`, escaped or not, and ids come from addresses that others
 * may have made.
 */
function toSegment(value: string): string {
  if (value === '.' || value === '..') throw nowhere()
  return encodeURIComponent(value)
}
