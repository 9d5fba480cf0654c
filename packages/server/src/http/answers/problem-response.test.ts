import { Problem, toProblemDocument } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import type { LogFields } from '../../telemetry/log.ts'
import { notFound, renderProblem, toProblem } from './problem-response.ts'

const revealing = new Problem('not_found', 'env_1 belongs to another organization.', {
  errors: [{ pointer: '/environmentId', code: 'not_found', detail: 'foreign' }],
  extensions: { owner: 'org_2' },
})

describe('renderProblem', () => {
  it('writes RFC 9457 with the request id and headers that keep it from caches', () => {
    const problem = new Problem('rate_limited', 'Wait.', { retryAfterSeconds: 1.2 })
    const { status, headers, body } = renderProblem(problem, 'req_1')
    expect(status).toBe(429)
    expect(headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'X-Request-Id': 'req_1',
      'Retry-After': '2',
      'Cache-Control': 'no-store',
    })
    expect(JSON.parse(body)).toEqual({
      type: 'https://signalbox.dev/docs/problems#rate_limited',
      title: 'Too many requests',
      status: 429,
      code: 'rate_limited',
      detail: 'Wait.',
      instance: 'req_1',
    })
  })

  it('answers every not_found with the same bytes, whatever it was thrown with', () => {
    expect(renderProblem(revealing, 'req_1')).toEqual(renderProblem(notFound(), 'req_1'))
  })

  it('control: the document alone tells foreign from absent', () => {
    expect(toProblemDocument(revealing, 'req_1')).not.toEqual(
      toProblemDocument(notFound(), 'req_1'),
    )
  })
})

describe('toProblem', () => {
  const logged: [string, LogFields][] = []
  const write =
    (level: string) =>
    (_message: string, fields: LogFields = {}) =>
      logged.push([level, fields])
  const log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }

  it('turns any other error into an internal problem, and logs the cause', () => {
    for (const thrown of [
      new Error('hunter2'),
      'hunter2',
      null,
      undefined,
      { code: 'not_found' },
    ]) {
      logged.length = 0
      const problem = toProblem(thrown, 'req_1', log)
      expect([problem.code, problem.message.includes('hunter2')]).toEqual(['internal', false])
      expect(problem.message).toContain('req_1')
      expect(logged).toEqual([['error', { requestId: 'req_1', error: thrown }]])
    }
  })

  it('logs problems of the server, and none of the caller', () => {
    logged.length = 0
    toProblem(new Problem('conflict', 'x'), 'req_1', log)
    expect(logged).toEqual([])
    const cause = new Error('connection refused')
    toProblem(new Problem('db_unavailable', 'x', { cause }), 'req_1', log)
    expect(logged).toEqual([['warn', { requestId: 'req_1', code: 'db_unavailable', error: cause }]])
  })
})
