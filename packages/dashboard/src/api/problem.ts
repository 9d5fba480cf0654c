/** What one field was refused for. Example: `{ pointer: '/name', code: 'too_short', detail: '…' }`. */
export interface FieldFault {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export interface ProblemFields {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors?: readonly FieldFault[]
}

/** What the server refused, as it said it (RFC 9457), with the request id to look it up by. */
export class ApiProblem extends Error {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldFault[]
  readonly requestId: string | undefined
  /** The whole answer: some problems carry more, such as the report of a breaking change. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(fields: ProblemFields & Readonly<Record<string, unknown>>, requestId?: string) {
    super(fields.detail)
    this.name = 'ApiProblem'
    this.code = fields.code
    this.status = fields.status
    this.title = fields.title
    this.errors = fields.errors ?? []
    this.requestId = requestId
    this.fields = fields
  }

  /** What was wrong with the field at `pointer`, such as `/email`. */
  faultOf(pointer: string): string | undefined {
    return this.errors.find((fault) => fault.pointer === pointer)?.detail
  }
}

export function unreachable(): ApiProblem {
  return new ApiProblem({
    code: 'unreachable',
    status: 0,
    title: 'The server does not answer',
    detail: 'Check that it runs and that you are online; what you typed is still here.',
  })
}

/** What is asked for has an id that nothing has. */
export function nowhere(): ApiProblem {
  const detail = 'There is nothing of this id.'
  return new ApiProblem({ code: 'not_found', status: 404, title: 'Not found', detail })
}

/** What a call failed with. Anything but a problem is a mistake of the dashboard itself, and is shown as one. */
export function toApiProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ApiProblem({ code: 'fault', status: 0, title: 'The dashboard failed', detail })
}

/** The problem document of an answer, or that it has none, as the page of a proxy in between. */
export function toProblem(text: string, status: number, requestId?: string): ApiProblem {
  const body = parse(text)
  if (isProblemFields(body)) return new ApiProblem(body, requestId)
  const detail = `Something between you and the server answered with status ${status} and no problem document.`
  return new ApiProblem(
    { code: 'unreadable', status, title: 'The answer cannot be read', detail },
    requestId,
  )
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
