import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { newToken } from '../crypto/tokens.ts'
import { createLog, type Log } from './log.ts'
import { prettyLines } from './pretty-lines.ts'

const canary = 'Canary7hunter2orangutan'
const token = newToken('m2m').token
const longSecret = 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k'

function collect(): { lines: string[]; write(line: string): void } {
  const lines: string[] = []
  return { lines, write: (line) => lines.push(line) }
}

function jsonLog(): { log: Log; text: () => string } {
  const sink = collect()
  return {
    log: createLog({ level: 'debug', destination: sink }),
    text: () => sink.lines.join(''),
  }
}

function parseFailure(): unknown {
  try {
    return JSON.parse(`{"secret":${canary}`)
  } catch (error) {
    return error
  }
}

/** Fields as careless code passes them: the type forbids most, so they come through `unknown`. */
function careless(fields: unknown): object {
  return Object(fields)
}

const shapes: readonly [name: string, fields: object][] = [
  ['an unknown field', careless({ password: canary })],
  ['a nested object', careless({ detail: { a: { b: { secret: canary } } } })],
  ['an array', careless({ reason: [canary], values: [[canary]] })],
  ['a map of configuration', careless({ values: { stripeKey: canary } })],
  ['another letter case', careless({ PassWord: canary, TOKEN: canary })],
  ['a whole request', careless({ req: { headers: { authorization: `Bearer ${canary}` } } })],
  ['an error message', { error: new Error(`cannot use ${canary}`) }],
  ['an error message of several lines', { error: new Error(`x\n    at ${canary} (a.ts:1:1)\ny`) }],
  ['a cause', { error: new Error('outer', { cause: new Error(canary, { cause: canary }) }) }],
  [
    'properties of an error',
    { error: Object.assign(new Error('x'), { detail: canary, sql: canary }) },
  ],
  ['an error that JSON.parse made', { error: parseFailure() }],
  ['an aggregate', { error: new AggregateError([new Error(canary)], canary) }],
  ['a thrown text', { error: canary }],
  [
    'an error whose name is input',
    { error: Object.assign(new Error('x'), { name: `E ${canary}` }) },
  ],
  [
    'a quoted value in a database message',
    { reason: `invalid input syntax for integer: "${canary}"` },
  ],
  ['an address with credentials', { address: `postgres://app:${canary}@db.internal/x` }],
  ['a query in a path', { path: `/oauth/callback?code=${canary}&state=1` }],
  ['an Authorization header in text', { reason: `sent Authorization: Bearer ${canary}` }],
]

describe('createLog', () => {
  it('lets no canary through in any shape', () => {
    const leaking = shapes.filter(([, fields]) => {
      const { log, text } = jsonLog()
      log.error('It failed', fields)
      return text().includes('hunter2')
    })
    expect(leaking.map(([name]) => name)).toEqual([])
    expect(shapes.length).toBeGreaterThanOrEqual(11)
  })

  it('control: pino alone leaks nearly all of them', () => {
    const leaking = shapes.filter(([, fields]) => {
      const sink = collect()
      const options = { redact: ['password', 'req.headers.authorization', 'error.message'] }
      pino({ ...options, serializers: { error: pino.stdSerializers.err } }, sink).error(fields, 'x')
      return sink.lines.join('').includes('hunter2')
    })
    expect(leaking.length).toBeGreaterThan(shapes.length / 2)
  })

  it('takes tokens and long secrets out of the fields it writes', () => {
    const { log, text } = jsonLog()
    log.info('Seen', { reason: `got ${token} and ${longSecret}`, path: `/x/${token}` })
    expect(text()).not.toContain(token)
    expect(text()).not.toContain(longSecret)
    expect(text()).toContain(token.slice(0, 18))
  })

  it('keeps ids, routes, addresses and names readable', () => {
    const { log, text } = jsonLog()
    const fields = {
      requestId: 'req_01jd2m4x9k0000000000000000',
      route: '/organizations/{org_id}/config-versions/{version_id}/restore',
      job: 'configs.compile-the-snapshots-of-every-environment',
      address: 'http://127.0.0.1:4400',
      status: 200,
    }
    log.info('Answered', fields)
    expect(JSON.parse(text())).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      message: 'Answered',
      ...fields,
    })
  })

  it('says how an error came about, where, and that fields were left out', () => {
    const { log, text } = jsonLog()
    const cause = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' })
    log.warn('Broken', careless({ error: new TypeError('secret', { cause }), password: 'x' }))
    expect(JSON.parse(text())).toMatchObject({
      level: 'warn',
      leftOut: 1,
      error: {
        name: 'TypeError',
        stack: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
        causes: [{ name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' }],
      },
    })
  })

  it('writes nothing below its level', () => {
    const sink = collect()
    const log = createLog({ level: 'warn', destination: sink })
    log.info('Quiet')
    log.warn('Loud')
    expect(sink.lines).toHaveLength(1)
  })

  it('is as careful when it writes for people', () => {
    const sink = collect()
    const log = createLog({ level: 'info', destination: prettyLines({ destination: sink }) })
    for (const [, fields] of shapes) log.error('It failed', fields)
    expect(sink.lines.join('')).not.toContain('hunter2')
    expect(sink.lines.join('')).toContain('It failed')
    expect(sink.lines.join('')).toContain('log.test.ts')
  })
})
