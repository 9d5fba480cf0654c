import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { recordAuditEvent } from '../record-event.ts'
import { describeOutlets } from './describe-outlets.ts'
import { delayAfter, forwardEvents, type ForwardDeps } from './forward-events.ts'
import { createNdjsonOutlet } from './ndjson-outlet.ts'
import { createOtlpOutlet } from './otlp-outlet.ts'
import type { Outlet } from './outlet.ts'
import { listOutletStates, movePosition } from './outlet-rows.ts'
import { findGaps, readRecords, readRequest, type ReceivedRecord } from './testing/read-records.ts'

let test: TestStore
let receiver: Server
let outlet: Outlet
let at: Date
const egress = createEgress({ allow: ['127.0.0.1'] })
const metrics = createMetrics({ version: '0' })
const bodies: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
let answer: (body: string) => { status: number; body?: string; retryAfter?: string } | 'hang up'

beforeAll(async () => {
  test = await openTestStore()
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const answered = answer(body)
      if (answered === 'hang up') return request.socket.destroy()
      if (answered.status < 300) bodies.push({ headers: request.headers, body })
      const { status, retryAfter } = answered
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
      return response.end(answered.body ?? '{}')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/logs`
  const headers = { authorization: 'Bearer hidden' }
  outlet = createOtlpOutlet({ url, headers, egress, version: '1.2.3', now: () => at })
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await egress.close()
  await test.close()
})
beforeEach(async () => {
  at = new Date()
  bodies.length = 0
  answer = () => ({ status: 200 })
  await test.asOwner(
    'delete from audit_outlets; delete from audit_events; delete from audit_chains',
  )
})

const record = (orgId: string, times = 1, name = 'Ada') =>
  test.store.transaction({ orgId }, async (tx) => {
    for (let n = 0; n < times; n += 1) {
      recordAuditEvent(tx, {
        orgId,
        actor: { type: 'user', id: 'usr_1', name },
        action: 'key.created',
        target: { type: 'api_key', id: 'key_1', name: null },
        detail: { fields: ['name'], count: n },
        request: { requestId: 'req_1', ip: '192.0.2.1', userAgent: 'curl/8' },
      })
    }
  })
const deps = (of: Partial<ForwardDeps> = {}): ForwardDeps => ({
  store: test.store,
  now: () => at,
  nodeId: 'one',
  log: silentLog,
  metrics,
  stop: new AbortController().signal,
  ...of,
})
const forward = (of: Partial<ForwardDeps> = {}, through = outlet) =>
  forwardEvents(deps(of), through)
const later = (seconds: number) => (at = new Date(at.getTime() + seconds * 1000))
const records = () => bodies.flatMap(({ body }) => readRecords(body))
const sequencesOf = (orgId: string, of: readonly ReceivedRecord[] = records()) =>
  of.filter((each) => each.orgId === orgId).map(({ sequence }) => sequence)
const state = async () => {
  const [first] = await test.store.maintenance((tx) => listOutletStates(tx, at))
  if (first === undefined) throw new Error('No outlet has sent')
  return first
}
const counted = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

describe('the audit log that leaves', () => {
  it('arrives whole, in the order of each chain, with the end of the chain', async () => {
    await record('org_a', 3)
    await record('org_b', 2)
    await record('server', 1)
    expect(await forward()).toBe(3)
    expect([sequencesOf('org_a'), sequencesOf('org_b'), sequencesOf('server')]).toEqual([
      [1, 2, 3],
      [1, 2],
      [1],
    ])
    expect(findGaps(records())).toEqual([])
    expect(records()[0]?.newest.sequence).toBe(3)
    expect(bodies[0]?.headers).toMatchObject({
      authorization: 'Bearer hidden',
      'content-type': 'application/json',
    })
    await record('org_a')
    await forward()
    expect(sequencesOf('org_a')).toEqual([1, 2, 3, 4])
    expect(await forward()).toBe(0)
    expect(await state()).toMatchObject({ waiting: 0, lagSeconds: null, reason: null })
  })

  it('goes in bounded batches', async () => {
    await record('org_a', 450)
    expect(await forward()).toBe(3)
    expect(bodies.map(({ body }) => readRecords(body).length)).toEqual([200, 200, 50])
    expect(findGaps(records())).toEqual([])
  })

  it('control: the published types of OTLP refuse a field or a value that they do not know', async () => {
    await record('org_a')
    await forward()
    const [{ body } = { body: '' }] = bodies
    expect(body).toContain('"intValue":"1"')
    const changed = [
      body.replace('"eventName"', '"event_kind"'),
      body.replace('"intValue":"1"', '"intValue":1'),
      body.replace('"severityNumber":9', '"severityNumber":"nine"'),
      body.replace(/"timeUnixNano":"\d+"/, '"timeUnixNano":"noon"'),
    ]
    expect(() => readRequest(body)).not.toThrow()
    for (const each of changed) expect(() => readRequest(each)).toThrow(/\w/)
  })

  it('control: a receiver that lost a batch sees the gap, and one that lost the newest the end', async () => {
    await record('org_a', 450)
    await forward()
    const lost = (n: number) => bodies.flatMap(({ body }, i) => (i === n ? [] : readRecords(body)))
    expect(findGaps(lost(1))).toEqual(['org_a: 201 to 400'])
    expect(findGaps(lost(0))).toEqual(['org_a: 1 to 200'])
    expect(findGaps(lost(2))).toEqual(['org_a: 401 to 450'])
  })
})

const decade = 10 * 365 * 86_400

describe('a receiver that is away or refuses', () => {
  it.each([
    [503, 'http_503'],
    [429, 'http_429'],
    [401, 'http_401'],
    [404, 'http_404'],
    [302, 'http_302'],
  ])('is asked again later, and nothing is lost: %s', async (status, reason) => {
    await record('org_a', 2)
    await record('org_b', 2)
    answer = () => ({ status })
    expect(await forward()).toBe(0)
    expect(await state()).toMatchObject({ reason, failingSince: at, waiting: 4 })
    answer = () => ({ status: 200 })
    // It waits.
    expect(await forward()).toBe(0)
    later(3)
    expect(await forward()).toBe(2)
    expect(findGaps(records())).toEqual([])
    expect(await state()).toMatchObject({ reason: null, failingSince: null, waiting: 0 })
  })

  it('is asked ever less often, and when it says so', async () => {
    await record('org_a')
    answer = () => ({ status: 503, retryAfter: '40' })
    await forward()
    answer = () => ({ status: 200 })
    later(39)
    expect(await forward()).toBe(0)
    later(2)
    expect(await forward()).toBe(1)
    expect([1, 2, 3, 20].map((attempts) => delayAfter(attempts))).toEqual([2, 4, 8, 300])
    expect(delayAfter(1, 86_400)).toBe(300)
  })

  it('is asked again where the clock was ten years ahead when it failed', async () => {
    await record('org_a')
    later(decade)
    answer = () => ({ status: 503 })
    await forward()
    later(-decade)
    answer = () => ({ status: 200 })
    expect(await forward()).toBe(1)
  })

  it('may hang up in the middle', async () => {
    await record('org_a')
    answer = () => 'hang up'
    await forward()
    expect(await state()).toMatchObject({ reason: 'connection' })
    answer = () => ({ status: 200 })
    later(3)
    await forward()
    expect(sequencesOf('org_a')).toEqual([1])
  })

  it('holds up only the chain whose event it refuses, and only there', async () => {
    await record('org_a', 5)
    await record('org_a', 1, 'poison')
    await record('org_a', 5)
    await record('org_b', 5)
    answer = (body) => ({ status: body.includes('poison') ? 400 : 200 })
    await forward()
    expect([sequencesOf('org_a'), sequencesOf('org_b')]).toEqual([counted(5), counted(5)])
    expect(await state()).toMatchObject({ reason: 'http_400', waiting: 6 })
    // The others go on meanwhile.
    await record('org_b')
    await forward()
    expect(sequencesOf('org_b')).toEqual(counted(6))
    expect(await state()).toMatchObject({ reason: 'http_400' })
    answer = () => ({ status: 200 })
    later(3)
    await forward()
    expect(sequencesOf('org_a')).toEqual(counted(11))
    expect(await state()).toMatchObject({ reason: null, failingSince: null })
  })

  it('gets smaller batches where it refuses large ones', async () => {
    await record('org_a', 450)
    answer = (body) => ({ status: readRecords(body).length > 60 ? 413 : 200 })
    await forward()
    expect(sequencesOf('org_a')).toEqual(counted(450))
    expect(await state()).toMatchObject({ reason: null })
  })

  it('may take a batch and keep a part: it is not repeated, and counted', async () => {
    await record('org_a', 3)
    answer = () => ({
      status: 200,
      body: '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}',
    })
    expect(await forward()).toBe(1)
    expect(await forward()).toBe(0)
    expect(await state()).toMatchObject({ rejected: 2, waiting: 0 })
  })

  it('is not waited for by a chain whose newest events somebody took out', async () => {
    await record('org_a', 3)
    await record('org_b', 1)
    await test.asOwner(`delete from audit_events where org_id = 'org_a' and sequence > 1`)
    await forward()
    expect([sequencesOf('org_a'), sequencesOf('org_b')]).toEqual([[1], [1]])
    expect(findGaps(records())).toEqual(['org_a: 2 to 3'])
    expect(await state()).toMatchObject({ reason: 'events_missing' })
  })
})

describe('nodes that end', () => {
  /** Ends the node at its nth call of the database: before it, or after its commit. */
  const mortal = (diesAt: number, afterCommit: boolean): ForwardDeps['store'] => {
    let calls = 0
    return {
      maintenance: async (work) => {
        calls += 1
        if (calls === diesAt && !afterCommit) throw new Error('killed')
        const result = await test.store.maintenance(work)
        if (calls === diesAt) throw new Error('killed')
        return result
      },
    }
  }

  it('lose nothing wherever they are killed, and repeat at most what they had in hand', async () => {
    let deaths = 0
    for (let diesAt = 1; diesAt <= 12; diesAt += 1) {
      for (const afterCommit of [false, true]) {
        await record('org_a', 2)
        await record('org_b', 1)
        const life = forward({ nodeId: `n${diesAt}`, store: mortal(diesAt, afterCommit) })
        await life.catch(() => (deaths += 1))
        later(61)
      }
    }
    await forward({ nodeId: 'last' })
    expect(deaths).toBeGreaterThan(12)
    expect(findGaps(records())).toEqual([])
    expect(new Set(sequencesOf('org_a')).size).toBe(48)
    // The kills have repeated something: they hit between the answer and the commit.
    expect(records().length).toBeGreaterThan(72)
    expect(await state()).toMatchObject({ waiting: 0, reason: null })
  })

  it('control: a position that moves before the receiver has answered loses a batch', async () => {
    await record('org_a', 2)
    const hasty: Outlet = {
      ...outlet,
      send: () => Promise.resolve({ state: 'taken', rejected: 0 }),
    }
    await forward({ store: mortal(5, true) }, hasty).catch(() => undefined)
    later(61)
    await record('org_a', 1)
    await forward({ nodeId: 'next' })
    expect(findGaps(records())).toEqual(['org_a: 1 to 2'])
  })

  it('send one at a time, and one that was overtaken moves nothing', async () => {
    await test.asOwner(`insert into nodes (id) values ('one'), ('two')`)
    await record('org_a', 500)
    const taken = await Promise.all([forward(), forward({ nodeId: 'two' })])
    expect(taken.toSorted((a, b) => a - b)).toEqual([0, 3])
    expect(sequencesOf('org_a')).toEqual(counted(500))
    const from = { outlet: 'otlp', fence: 0, orgId: 'org_a', now: at } as const
    const back = { sequence: 1, rejected: 0, leaseUntil: at }
    expect(await test.store.maintenance((tx) => movePosition(tx, from, back))).toBe(false)
    expect(await forward()).toBe(0)
  })

  it('stop after the batch under way', async () => {
    await record('org_a', 500)
    const stop = new AbortController()
    answer = () => {
      stop.abort()
      return { status: 200 }
    }
    expect(await forward({ stop: stop.signal })).toBe(1)
    expect(await forward()).toBe(2)
  })
})

describe('standard output', () => {
  it('gets a line for each event, beside the other outlet', async () => {
    const lines: string[] = []
    const ndjson = createNdjsonOutlet({ write: (line) => lines.push(line) })
    await record('org_a', 150)
    await forward()
    expect(await forward({}, ndjson)).toBe(2)
    expect(sequencesOf('org_a')).toEqual(counted(150))
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.every((line) => line.endsWith('}\n') && !line.slice(0, -1).includes('\n'))).toBe(
      true,
    )
    expect(events.map(({ sequence }) => sequence)).toEqual(counted(150))
    expect(events[0]).toMatchObject({
      type: 'signalbox.audit',
      organization: 'org_a',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      action: 'key.created',
      actor: { name: 'Ada' },
      userAgent: 'curl/8',
      newestSequence: 150,
    })
    expect(events[1]?.['previousHash']).toBe(events[0]?.['hash'])
  })
})

describe('the state for the operator', () => {
  it('says what waits, since when and why, and no address', async () => {
    await record('org_a', 2)
    answer = () => ({ status: 503 })
    await forward()
    later(30)
    const check = describeOutlets(await test.store.maintenance((tx) => listOutletStates(tx, at)))
    expect(check).toMatchObject({ ok: true, warning: true })
    expect(check.detail).toMatch(
      /^otlp: 2 events wait, the oldest for 3\d s\. Sending fails since .*: The receiver answered 503\.$/,
    )
    expect(await metrics.render()).toContain(
      'signalbox_audit_failures_total{outlet="otlp",reason="http_503"}',
    )
  })
})
