import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SignalSpec } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import type { Credential } from './credential.ts'
import { createSignalReader } from './read-signal.ts'
import type { ReadFor, SignalRow } from './signal.ts'
import {
  startPrometheus,
  toError,
  toScalar,
  toVector,
  type PrometheusDouble,
} from './testing/start-prometheus.ts'

let prometheus: PrometheusDouble
let page: Server
let pageUrl: string
let onPage: { readonly status: number; readonly body: string }
let egress: Egress

beforeAll(async () => {
  prometheus = await startPrometheus()
  page = createServer((_request, response) => {
    response.writeHead(onPage.status, { location: 'https://elsewhere.example.com' })
    response.end(onPage.body)
  })
  await new Promise<void>((done) => page.listen(0, '127.0.0.1', done))
  pageUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}/planted-path?key=planted-query`
  egress = createEgress({ allow: ['127.0.0.1'] })
})
beforeEach(() => {
  prometheus.asked.length = 0
})
afterAll(async () => {
  await egress.close()
  await prometheus.close()
  page.closeAllConnections()
  page.close()
})

const now = new Date('2026-11-30T12:00:00.000Z')
const change: ReadFor = {
  environment: 'production',
  schema: 'shop',
  version: 7,
  flags: ['beta', 'checkout'],
  since: new Date('2026-11-30T11:50:00.000Z'),
}

const read = (
  spec: SignalSpec,
  { readFor = change, credential = {}, by = egress, ...alerts }: Partial<Reads> = {},
) =>
  createSignalReader({ egress: by, now: () => now, timeoutMs: 2_000 }).read(
    { spec, firing: {}, heardAt: null, ...alerts },
    readFor,
    credential,
  )

interface Reads extends Pick<SignalRow, 'firing' | 'heardAt'> {
  readonly readFor: ReadFor
  readonly credential: Credential
  readonly by: Pick<Egress, 'request'>
}

type Prometheus = Extract<SignalSpec, { readonly kind: 'prometheus' }>
const query = 'rate(errors[5m])'
const ask = (limits: Partial<Prometheus>, more: Partial<Reads> = {}) =>
  read({ kind: 'prometheus', url: `${prometheus.url}/prom/`, query, ...limits }, more)

describe('a query of Prometheus', () => {
  it('is posted to the server with its credential, as the query API takes it', async () => {
    prometheus.answer = () => toVector([1])
    await ask({ above: 2 }, { credential: { authorization: 'Basic planted' } })
    expect(prometheus.asked).toEqual([
      { path: '/prom/api/v1/query', authorization: 'Basic planted', query, time: null },
    ])
  })

  it.each([
    [{ above: 2 }, toVector([1.5]), 'good', 1.5, 'was 1.5'],
    [{ above: 2 }, toVector([2]), 'good', 2, 'was 2'],
    [{ above: 2 }, toVector([0.1, 4.2, 3]), 'bad', 4.2, 'was 4.2, above 2'],
    [{ below: 10 }, toVector([12, 3]), 'bad', 3, 'was 3, below 10'],
    [{ above: 20, below: 10 }, toVector([12]), 'good', 12, 'was 12'],
    [{ above: 2 }, toScalar(3), 'bad', 3, 'was 3, above 2'],
    [{ above: 2 }, toVector(['NaN', 1]), 'good', 1, 'was 1'],
    [{ above: 2 }, toVector(['+Inf']), 'bad', null, 'was Infinity, above 2'],
    [{ below: 2 }, toVector(['-Inf']), 'bad', null, 'was -Infinity, below 2'],
    [{ above: 2 }, toVector([]), 'none', null, 'has no value'],
    [{ above: 2 }, toVector(['NaN']), 'none', null, 'has no value'],
    [{ above: 2 }, toScalar('NaN'), 'none', null, 'has no value'],
  ] as const)('with %o judges %j as %s', async (limits, answer, ...[verdict, value, detail]) => {
    prometheus.answer = () => answer
    expect(await ask(limits)).toEqual({ verdict, value, detail })
  })

  it.each([
    [toError(400), 'refused the query: it answered 400'],
    [toError(422), 'refused the query: it answered 422'],
    [toError(503), 'answered 503'],
    [{ status: 401, body: '' }, 'refused the credential: it answered 401'],
    [{ status: 302, body: '' }, 'answered 302'],
    [{ body: '<html>' }, 'answered something else than Prometheus does'],
    [
      { body: { status: 'success', data: { resultType: 'matrix', result: [] } } },
      'answered something else than Prometheus does',
    ],
    [
      {
        body: {
          status: 'success',
          data: { resultType: 'vector', result: [{ value: [1, 'constructor'] }] },
        },
      },
      'answered something else than Prometheus does',
    ],
    [
      { body: { status: 'success', data: { resultType: 'vector', result: [null] } } },
      'answered something else than Prometheus does',
    ],
    [{ body: `"${'x'.repeat(1024 * 1024)}"` }, 'answered too much'],
    [null, 'did not answer in time'],
  ])('that meets %j has no data, says why, and quotes nothing', async (answer, detail) => {
    prometheus.answer = () => answer
    const reading = await ask({ above: 2, query: 'planted_query' })
    expect(reading).toEqual({ verdict: 'none', value: null, detail })
  })

  it('is compared with the value of each series from before the change', async () => {
    const before = new Map<string | null, ReturnType<typeof toVector>>()
    prometheus.answer = (_query, time) => before.get(time) ?? toVector([])
    const at = String(change.since.getTime() / 1000)
    const compare = (was: readonly (number | string)[], is: readonly number[]) => {
      before.set(at, toVector(was)).set(null, toVector(is))
      return ask({ timesBefore: 3 })
    }
    expect(await compare([100, 1], [120, 5])).toEqual({
      verdict: 'bad',
      value: 5,
      detail: 'was 5, above 3 times the 1 before',
    })
    expect(await compare([100, 2], [120, 5])).toMatchObject({ verdict: 'good' })
    for (const was of [[], [0], ['NaN']])
      expect(await compare(was, [5])).toMatchObject({ verdict: 'good', value: 5 })
    expect(prometheus.asked.map(({ time }) => time)).toContain(at)
  })

  it('about the flags asks for each that has changed, ten at most, and the worst counts', async () => {
    const flagQuery = 'errors{flag="{flag}",env="{environment}",v="{version}",s="{schema}"}'
    prometheus.answer = (text) => toVector([text.includes('"checkout"') ? 9 : 1])
    expect(await ask({ query: flagQuery, above: 2 })).toMatchObject({ verdict: 'bad', value: 9 })
    expect(prometheus.asked.map((each) => each.query).toSorted()).toEqual([
      'errors{flag="beta",env="production",v="7",s="shop"}',
      'errors{flag="checkout",env="production",v="7",s="shop"}',
    ])
    prometheus.asked.length = 0
    const flags = Array.from({ length: 30 }, (_none, at) => `flag${at}`)
    await ask({ query: flagQuery, above: 2 }, { readFor: { ...change, flags } })
    expect(prometheus.asked).toHaveLength(10)
    const none = await ask({ query: flagQuery, above: 2 }, { readFor: { ...change, flags: [] } })
    expect(none).toMatchObject({ verdict: 'none', detail: 'is about flags, and none has changed' })
  })
})

describe('a page', () => {
  it.each([
    ['2xx', 204, '', { verdict: 'good', value: 204 }],
    ['2xx', 503, '', { verdict: 'bad', value: 503, detail: 'answered 503' }],
    ['2xx', 302, '', { verdict: 'bad', value: 302 }],
    [
      { pointer: '/a/0/b~1c', above: 2 },
      200,
      '{"a":[{"b/c":3}]}',
      { verdict: 'bad', value: 3, detail: 'was 3, above 2' },
    ],
    [{ pointer: '/a', below: 2 }, 200, '{"a":2}', { verdict: 'good', value: 2 }],
    [
      { pointer: '/a', above: 2 },
      200,
      '{"a":"planted-value"}',
      { verdict: 'none', detail: 'has no number there' },
    ],
    [{ pointer: '/constructor', above: 2 }, 200, '{}', { verdict: 'none' }],
    [{ pointer: '/a', above: 2 }, 200, '<html>', { verdict: 'none' }],
    [{ pointer: '/a', above: 2 }, 500, '{"a":9}', { verdict: 'none', detail: 'answered 500' }],
    [{ pointer: '/a', equals: 'ok' }, 200, '{"a":"ok"}', { verdict: 'good' }],
    [{ pointer: '', equals: true }, 200, 'true', { verdict: 'good' }],
    [
      { pointer: '/a', equals: 'ok' },
      200,
      '{"a":"planted-value"}',
      { verdict: 'bad', detail: 'was another value than expected' },
    ],
    [{ pointer: '/a', equals: 'ok' }, 200, '{}', { verdict: 'none', detail: 'has no value there' }],
  ] as const)(
    'of which %j is expected, that answers %i %s, is judged as %j',
    async (expected, status, body, reading) => {
      onPage = { status, body }
      const answer = await read({ kind: 'http', url: pageUrl, expect: expected })
      expect(answer).toMatchObject(reading)
      expect(answer.detail).not.toContain('planted')
    },
  )
})

describe('an address', () => {
  const http = (url: string): SignalSpec => ({ kind: 'http', url, expect: '2xx' })

  it('that is private, or resolves to one that is, is not called: there is no data', async () => {
    onPage = { status: 200, body: '' }
    const calls = prometheus.asked.length
    const guarded = createEgress({
      allow: [],
      resolveHost: (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    for (const url of ['https://shop.example.com', 'https://127.0.0.1', pageUrl])
      expect(await read(http(url), { by: guarded })).toMatchObject({ verdict: 'none' })
    const answer = await read(http('https://shop.example.com/planted'), { by: guarded })
    expect(answer.detail).toBe('has an address that is not public')
    const spec: SignalSpec = { kind: 'prometheus', url: prometheus.url, query, above: 1 }
    expect(await read(spec, { by: guarded })).toMatchObject({ verdict: 'none' })
    expect(prometheus.asked.length).toBe(calls)
    // Control: the same page is read where an operator allows it.
    expect(await read(http(pageUrl))).toMatchObject({ verdict: 'good' })
    await guarded.close()
  })

  it('that nobody answers at, or a header that cannot be sent, is no data', async () => {
    const dead = await startPrometheus()
    await dead.close()
    expect(await read(http(`${dead.url}/planted`))).toEqual({
      verdict: 'none',
      value: null,
      detail: 'could not be reached',
    })
    const credential = { authorization: 'planted\nheader' }
    const answer = await read(http(pageUrl), { credential })
    expect(answer.verdict).toBe('none')
    expect(answer.detail).not.toContain('planted')
  })
})

describe('alerts', () => {
  const alerts = (firing: Readonly<Record<string, string>>, heardAt: Date | null = now) =>
    read({ kind: 'alert' }, { firing, heardAt })
  const before = '2026-11-30T11:49:59.999Z'
  const after = '2026-11-30T11:50:00.000Z'

  it.each([
    [{}, now, 'good', 0],
    [{}, null, 'none', null],
    [{ a: after }, now, 'bad', 1],
    [{ a: after, b: after, c: before }, now, 'bad', 2],
    [{ a: before }, now, 'none', null],
    [{ 'nodata:a': after }, now, 'none', null],
    [{ 'event:a': '2026-11-30T11:55:00.001Z' }, now, 'bad', 1],
    [{ 'event:a': '2026-11-30T11:55:00.000Z' }, now, 'good', 0],
  ] as const)('%j, heard at %s, are %s', async (firing, heardAt, verdict, value) => {
    expect(await alerts(firing, heardAt)).toMatchObject({ verdict, value })
  })
})

it('tests have no data by themselves: a run tells', async () => {
  const spec: SignalSpec = { kind: 'tests', repository: 'a/b', workflow: 'c', deadlineMinutes: 5 }
  expect(await read(spec)).toMatchObject({ verdict: 'none' })
})
