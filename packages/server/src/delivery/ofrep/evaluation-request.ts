import { limits, type EvaluationContext } from '@signalbox/contract'
import type { Exchange } from '../http/answer.ts'
import { parseEvaluationBody } from '../http/evaluation-body.ts'
import { readRequestBody } from '../http/request-body.ts'
import { OfrepFailure } from './ofrep-failure.ts'

/** Reads the bytes of an evaluation request. @throws {Problem} as `readRequestBody` does */
export function readEvaluationBody(exchange: Exchange): Promise<Buffer> {
  return readRequestBody(exchange, {
    maxBytes: limits.evaluationBodyBytes,
    example: '{"context":{"targetingKey":"user-1"}}',
  })
}

/**
 * Parses the context of an evaluation request. An absent one is empty, as clients of anonymous visitors send it. What its
 * attributes hold is judged by the rules that read them.
 *
 * @throws {Problem} with OFREP's `PARSE_ERROR` or `INVALID_CONTEXT`
 */
export function readContext(bytes: Buffer): EvaluationContext {
  const body = parseEvaluationBody(bytes)
  if (!isRecord(body)) throw new OfrepFailure('invalid_json', 'PARSE_ERROR', 'Send an object.')
  const context = body['context'] ?? {}
  if (isRecord(context)) return context
  throw new OfrepFailure('validation_failed', 'INVALID_CONTEXT', '"context" must be an object.')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
