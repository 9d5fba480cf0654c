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

/** A refusal in OFREP's own words. */
export class OfrepFailure extends Problem {
  readonly errorCode: ErrorCode

  constructor(code: ProblemCode, errorCode: ErrorCode, detail: string) {
    super(code, detail)
    this.errorCode = errorCode
  }
}

/** What OFREP has a status for; whatever else is wrong with a request is 400. */
const kept: ReadonlySet<number> = new Set([401, 403, 404, 429])

/**
 * Answers with OFREP's form of a problem: clients read `errorCode`, people `errorDetails`. Of a single flag it names the key,
 * which clients look for before anything else.
 */
export function answerFailure(exchange: Exchange, problem: Problem, key?: string): void {
  // For what it says as a problem: it hides what a 404 may not tell, and knows the headers.
  const { status, headers, body } = renderProblem(problem, exchange.requestId)
  const { detail }: { readonly detail: string } = JSON.parse(body)
  const { 'Retry-After': retryAfter, 'WWW-Authenticate': authenticate } = headers
  const failure = {
    ...(key !== undefined && { key }),
    ...(status < 500 && { errorCode: errorCodeOf(problem, key) }),
    errorDetails: detail,
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
    status >= 500 || kept.has(status) ? status : 400,
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
