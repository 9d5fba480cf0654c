/** Describes why one field was refused. Example: `{ pointer: '/name', code: 'too_short', detail: '…' }`. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
  /** Names the key, of a value that looks like a secret. */
  readonly key?: string
}

/** Describes the members of a problem document (RFC 9457) that are always there. */
export interface ProblemFields {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors?: readonly FieldError[]
}

/** Holds the headers of a response that belong to its problem. */
interface ProblemContext {
  readonly requestId?: string | undefined
  readonly retryAt?: Date | undefined
}

/** Signals a rejection of the server (RFC 9457), with the request id to look it up by. */
export class ApiProblem extends Error {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  readonly requestId: string | undefined
  /** Holds the time from which a retry is allowed, if the server names one. */
  readonly retryAt: Date | undefined
  /** Holds the whole document. Some problems have further members, such as the report of a breaking change. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    fields: ProblemFields & Readonly<Record<string, unknown>>,
    { requestId, retryAt }: ProblemContext = {},
  ) {
    super(fields.detail)
    this.name = 'ApiProblem'
    this.code = fields.code
    this.status = fields.status
    this.title = fields.title
    this.errors = fields.errors ?? []
    this.requestId = requestId
    this.retryAt = retryAt
    this.fields = fields
  }

  /** Returns the error of the field at `pointer`, such as `/email`. */
  errorOf(pointer: string): string | undefined {
    return this.errors.find((error) => error.pointer === pointer)?.detail
  }
}

/** Returns the problem of a call without a response. A write keeps what the person typed, and a read typed nothing. */
export function unreachable(kind: 'read' | 'write'): ApiProblem {
  return new ApiProblem({
    code: 'unreachable',
    status: 0,
    title: 'The server isn’t responding',
    detail:
      kind === 'read'
        ? 'Check your connection. The page loads once the server responds.'
        : 'The server isn’t responding. Try again; what you typed is still here.',
  })
}

/** Returns what a write ends with that was not made, because the person asked others for their approval. */
export function approvalRequested(number: number): ApiProblem {
  return new ApiProblem({
    code: 'approval_requested',
    status: 0,
    title: 'Approval requested',
    detail: `Request ${number} waits for approval. Nothing has changed yet.`,
  })
}

/** Returns whether a write ended because the person asked others for their approval. That is no failure. */
export function isRequested({ code }: Pick<ApiProblem, 'code'>): boolean {
  return code === 'approval_requested'
}

/** Returns the problem of a file that is incomplete. */
export function cutOff(): ApiProblem {
  return new ApiProblem({
    code: 'cut_off',
    status: 0,
    title: 'The download is incomplete',
    detail: 'The connection ended early. No file was saved. Export it again.',
  })
}

/** Returns the problem of an id that cannot exist. */
export function nowhere(): ApiProblem {
  const detail = 'Nothing has this ID.'
  return new ApiProblem({ code: 'not_found', status: 404, title: 'Not found', detail })
}

/** Returns the problem that a call failed with. Any other error is a bug of the dashboard, and is shown as one. */
export function toApiProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ApiProblem({ code: 'fault', status: 0, title: 'The dashboard failed', detail })
}

/** Returns the problem document of a response, or a problem for a response without one, such as the page of a proxy. */
export function toProblem(text: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
  const context = {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAt: toRetryAt(headers.get('retry-after')),
  }
  const body = parse(text)
  if (isProblemFields(body)) return new ApiProblem(body, context)
  const detail = `A proxy between your browser and the server answered with status ${status}.`
  return new ApiProblem(
    { code: 'unreadable', status, title: 'The response can’t be read', detail },
    context,
  )
}

/** Counts from now by this browser's clock, so that it need not agree with the server's. */
function toRetryAt(seconds: string | null): Date | undefined {
  return seconds !== null && /^\d{1,6}$/.test(seconds)
    ? new Date(Date.now() + Number(seconds) * 1000)
    : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblemFields(body: unknown): body is ProblemFields & Readonly<Record<string, unknown>> {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  )
}
