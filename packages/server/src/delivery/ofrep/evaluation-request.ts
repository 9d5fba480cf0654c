import { limits, targetingKey, type EvaluationContext, type Problem } from '@signalbox/contract'
import { readJson } from '../../http/input/json.ts'
import type { Exchange } from '../http/answer.ts'
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
 * Parses the context of an evaluation request. An absent one is empty, as clients of anonymous visitors send it.
 *
 * @throws {Problem} with OFREP's `PARSE_ERROR` or `INVALID_CONTEXT`
 */
export function readContext(bytes: Buffer): EvaluationContext {
  const body = readJson(bytes, { stringBytes: limits.contextStringBytes })
  if (!isRecord(body)) throw new OfrepFailure('invalid_json', 'PARSE_ERROR', 'Send an object.')
  const { context = {} } = body
  if (!isRecord(context)) throw invalidContext('"context" must be an object.')
  const key = context[targetingKey]
  if (key !== undefined && key !== null && typeof key !== 'string') {
    throw invalidContext('"targetingKey" must be a string.')
  }
  return context
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalidContext(detail: string): Problem {
  return new OfrepFailure('validation_failed', 'INVALID_CONTEXT', detail)
}
