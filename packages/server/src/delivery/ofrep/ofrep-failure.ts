import { Problem, type ProblemCode } from '@signalbox/contract'
import { renderProblem } from '../../http/answers/problem-response.ts'
import { answerJson, type Exchange } from '../http/answer.ts'
import { corsHeaders } from '../http/header-policy.ts'

type ErrorCode =
  | 'PARSE_ERROR'
  | 'TARGETING_KEY_MISSING'
  | 'INVALID_CONTEXT'
  | 'FLAG_NOT_FOUND'
  | 'GENERAL'

/** Describes a rejection with one of OFREP's error codes. */
export class OfrepFailure extends Problem {
  readonly errorCode: ErrorCode

  constructor(code: ProblemCode, errorCode: ErrorCode, detail: string) {
    super(code, detail)
    this.errorCode = errorCode
  }
}

/** Lists the statuses that OFREP defines for rejections. All others of the 4xx range become 400. */
const ofrepStatuses: ReadonlySet<number> = new Set([401, 403, 404, 429])

/**
 * Sends a problem in OFREP's form: clients read `errorCode`, people read `errorDetails`. For a single flag it names the
 * key, which clients look for first, and has empty metadata: the Java provider fails without the member. The Kotlin
 * provider, which asks for all flags, fails with it.
 */
export function answerFailure(exchange: Exchange, problem: Problem, key?: string): void {
  // Rendered as a problem first, because that decides the headers and hides the details of a 404.
  const { status, headers, body } = renderProblem(problem, exchange.requestId)
  const { detail }: { readonly detail: string } = JSON.parse(body)
  const { 'Retry-After': retryAfter, 'WWW-Authenticate': authenticate } = headers
  const failure = {
    ...(key !== undefined && { key }),
    ...(status < 500 && { errorCode: errorCodeOf(problem, key) }),
    errorDetails: detail,
    ...(key !== undefined && { metadata: {} }),
  }
  answerJson(
    exchange,
    JSON.stringify(failure),
    {
      'Cache-Control': 'no-store',
      ...corsHeaders(exchange.allowOrigin),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
      ...(authenticate !== undefined && { 'WWW-Authenticate': authenticate }),
    },
    status >= 500 || ofrepStatuses.has(status) ? status : 400,
  )
}

function errorCodeOf(problem: Problem, key: string | undefined): ErrorCode {
  if (problem instanceof OfrepFailure) return problem.errorCode
  if (problem.status === 404 && key !== undefined) return 'FLAG_NOT_FOUND'
  return aboutTheBody.has(problem.code) ? 'PARSE_ERROR' : 'GENERAL'
}

const aboutTheBody: ReadonlySet<ProblemCode> = new Set([
  'invalid_json',
  'invalid_encoding',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
  'validation_failed',
  'duplicate_key',
  'number_out_of_range',
  'ill_formed_text',
  'reserved_key',
  'too_deep',
  'too_many_items',
  'value_too_large',
])
