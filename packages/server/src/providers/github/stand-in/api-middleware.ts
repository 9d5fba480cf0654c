import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Route, SandboxRequest } from '../../../../../sandbox/src/http/route.ts'
import type { Identify } from './access/identify.ts'
import type { RateLimit, RateLimits } from './rate-limits.ts'
import { refuse } from './errors.ts'

/** Describes the treatment of every request by GitHub's REST API. */
export interface ApiMiddleware {
  /** Refuses without a User-Agent (403), beyond the rate limit (403) and at an unknown version (400), and answers 304. */
  wrap(route: Route): Route
  /** Adds the headers of every response. */
  dress(request: SandboxRequest, answer: Answer): Answer
}

const apiVersions = ['2022-11-28', '2026-03-10'] as const

/** Returns the API version that a request names in its header, or the oldest one. */
export function versionOf({ headers }: SandboxRequest): string {
  return headers['x-github-api-version'] ?? apiVersions[0]
}

/** Creates the middleware. It counts requests by the caller's token. */
export function createApiMiddleware(deps: {
  readonly identify: Identify
  readonly limits: RateLimits
}): ApiMiddleware {
  const { limits } = deps
  const callerIn = (request: SandboxRequest) => callerOf(deps.identify, request)
  const dressFor = (caller: string, request: SandboxRequest, answer: Answer): Answer => {
    const headers = headersFor(request, limits.read(caller))
    return { ...answer, headers: { ...headers, ...answer.headers } }
  }
  return {
    dress: (request, answer) => dressFor(callerIn(request), request, answer),
    wrap: (route) => ({
      ...route,
      async handle(request) {
        // Identified before the request runs, because it may revoke the token.
        const caller = callerIn(request)
        const refused = refuseInvalidHeaders(request) ?? refuseBeyond(limits.read(caller), caller)
        if (refused !== undefined) return dressFor(caller, request, refused)
        const answer = withEtag(request, await route.handle(request))
        if (answer.status !== 304) limits.count(caller)
        return dressFor(caller, request, answer)
      },
    }),
  }
}

/** Returns the text that identifies a caller's quota. Example: `installation ID 1000012`. */
function callerOf(identify: Identify, request: SandboxRequest): string {
  const identified = identify(request)
  if ('refused' in identified) return 'nobody'
  const { caller } = identified
  switch (caller.kind) {
    case 'app':
      return `app ID ${caller.app.id}`
    case 'installation':
      return `installation ID ${caller.installation.id}`
    case 'user':
      return `user ID ${caller.account.id}`
  }
}

function refuseInvalidHeaders({ headers }: SandboxRequest): Answer | undefined {
  if ((headers['user-agent'] ?? '') === '') {
    const text =
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n'
    return { status: 403, headers: { 'content-type': 'text/html' }, body: text }
  }
  const version = headers['x-github-api-version']
  if (version === undefined || apiVersions.some((known) => known === version)) return undefined
  return refuse(400, `"${version}" is not a supported version`)
}

function refuseBeyond({ remaining }: RateLimit, caller: string): Answer | undefined {
  return remaining > 0 ? undefined : refuse(403, `API rate limit exceeded for ${caller}.`)
}

function withEtag({ method, headers }: SandboxRequest, answer: Answer): Answer {
  if (method !== 'GET' || answer.status !== 200) return answer
  const digest = createHash('sha256').update(answer.body ?? '')
  const etag = `W/"${digest.digest('hex')}"`
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  if (known.some((tag) => tag === etag || tag === etag.slice(2))) {
    return { status: 304, headers: { etag } }
  }
  return { ...answer, headers: { ...answer.headers, etag } }
}

function headersFor(request: SandboxRequest, limit: RateLimit): Record<string, string> {
  const { used, remaining, reset } = toRate(limit)
  return {
    'x-github-request-id': [2, 3, 4, 4, 4]
      .map((bytes) => randomBytes(bytes).toString('hex').toUpperCase())
      .join(':'),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': versionOf(request),
    'x-ratelimit-limit': String(limit.limit),
    'x-ratelimit-used': String(used),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
    'x-ratelimit-resource': 'core',
  }
}

function toRate({ limit, used, remaining, resetsAt }: RateLimit) {
  return { limit, used, remaining, reset: Math.ceil(resetsAt.getTime() / 1000) }
}
