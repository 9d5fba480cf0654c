import { createHmac } from 'node:crypto'
import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { createCredentialGuard } from '../../http/admission/credential-guard.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import {
  fromAlertmanager,
  fromGrafana,
  fromSentryEvent,
  fromSentryMetric,
} from './testing/alert-samples.ts'

let opened: ConfigApp
let app: ConfigApp
let clock = new Date()
beforeAll(async () => {
  opened = await openConfigApp({ now: () => clock })
})
beforeEach(async () => {
  app = await opened.another()
  clock = new Date()
})
afterAll(() => opened.close())

interface Listening {
  readonly id: string
  readonly secret: string
}

async function listen(name = 'alerts'): Promise<Listening> {
  const { body } = await app.ok('admin', 'POST /signals', {
    body: { name, spec: { kind: 'alert' } },
  })
  return body
}
const clientSecret = 'planted-client-secret'
async function listenToSentry(): Promise<Listening> {
  const spec = { kind: 'alert', format: 'sentry' }
  const body = { name: 'sentry', spec, clientSecret }
  return (await app.ok('admin', 'POST /signals', { body })).body
}

async function post(id: string, body: unknown, headers: Readonly<Record<string, string>>) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await app.request(`/signals/${id}`, { method: 'POST', headers, body: text })
  const answered = await answer.text()
  return { status: answer.status, problem: answered === '' ? {} : JSON.parse(answered) }
}
const send = ({ id, secret }: Listening, body: unknown) =>
  post(id, body, { authorization: `Bearer ${secret}` })
const signed = (id: string, resource: string, body: object, secret = clientSecret) => {
  const text = JSON.stringify(body)
  return post(id, text, {
    'sentry-hook-resource': resource,
    'sentry-hook-signature': createHmac('sha256', secret).update(text).digest('hex'),
  })
}
const knownOf = async (id: string) => {
  const [row] = await app.test.asOwner<{ firing: Record<string, string>; heard: Date | null }>(
    'select firing, heard_at as heard from signals where id = $1',
    [id],
  )
  return { firing: Object.entries(row?.firing ?? {}), isHeard: row?.heard !== null }
}
const ago = (minutes: number) => new Date(clock.getTime() - minutes * 60_000).toISOString()

describe('alerts', () => {
  it('of Alertmanager fire since when they began until each is resolved', async () => {
    const signal = await listen()
    const [first, second] = ['a1b2c3d4e5f60718', 'b1b2c3d4e5f60718']
    const firing = (fingerprint: string, startsAt: string) =>
      ({ name: 'errors', status: 'firing', fingerprint, startsAt }) as const
    const ahead = new Date(clock.getTime() + 3_600_000).toISOString()
    const sent = fromAlertmanager(firing(first, ago(5)), firing(second, ahead))
    expect((await send(signal, sent)).status).toBe(202)
    // A clock that goes ahead doesn't make an alert begin in the future.
    expect((await knownOf(signal.id)).firing).toEqual([
      [first, ago(5)],
      [second, ago(0)],
    ])
    const shown = (await app.ok('viewer', `GET /signals/${signal.id}`)).body
    expect(shown.last).toEqual({
      at: clock.toISOString(),
      verdict: 'bad',
      value: 2,
      detail: 'says that 2 alerts are firing',
    })
    const resolved = { name: 'errors', status: 'resolved', fingerprint: first } as const
    await send(signal, fromAlertmanager(resolved))
    expect((await knownOf(signal.id)).firing).toEqual([[second, ago(0)]])
    await send(signal, fromAlertmanager({ ...resolved, fingerprint: second }))
    expect(await knownOf(signal.id)).toEqual({ firing: [], isHeard: true })
  })

  it('without a fingerprint and a beginning are known by their labels, and since they came first', async () => {
    const signal = await listen()
    const errors = { name: 'errors', status: 'firing', labels: { b: '2', a: '1' } } as const
    await send(signal, fromAlertmanager(errors))
    const [[name, since] = []] = (await knownOf(signal.id)).firing
    clock = new Date(clock.getTime() + 300_000)
    await send(signal, fromAlertmanager({ ...errors, labels: { a: '1', b: '2' } }))
    expect((await knownOf(signal.id)).firing).toEqual([[name, since]])
    await send(signal, fromAlertmanager({ ...errors, status: 'resolved' }))
    expect((await knownOf(signal.id)).firing).toEqual([])
  })

  it('of Grafana are taken too; its test only counts as heard, and its missing data as none', async () => {
    const signal = await listen()
    const test = { name: 'TestAlert', status: 'firing', labels: { instance: 'Grafana' } } as const
    expect((await send(signal, fromGrafana(test))).status).toBe(202)
    expect(await knownOf(signal.id)).toEqual({ firing: [], isHeard: true })
    const readLast = async () => (await app.ok('viewer', `GET /signals/${signal.id}`)).body.last
    expect(await readLast()).toMatchObject({ verdict: 'good' })
    for (const name of ['DatasourceNoData', 'DatasourceError']) {
      await send(signal, fromGrafana({ name, status: 'firing', fingerprint: 'a1b2c3d4e5f60718' }))
      expect(await readLast()).toMatchObject({ verdict: 'none' })
    }
    await send(signal, fromGrafana({ name: 'errors', status: 'firing' }))
    expect(await readLast()).toMatchObject({ verdict: 'bad', value: 1 })
  })

  it('of anything else are a status', async () => {
    const signal = await listen()
    await send(signal, { status: 'firing' })
    expect((await knownOf(signal.id)).firing).toEqual([['status', clock.toISOString()]])
    const since = clock.toISOString()
    clock = new Date(clock.getTime() + 300_000)
    await send(signal, { status: 'firing' })
    expect((await knownOf(signal.id)).firing).toEqual([['status', since]])
    const { secret, id } = signal
    const basic = Buffer.from(`signalbox:${secret}`).toString('base64')
    const answer = await post(id, { status: 'resolved' }, { authorization: `Basic ${basic}` })
    expect(answer.status).toBe(202)
    expect((await knownOf(id)).firing).toEqual([])
  })

  it('that come at the same time are all kept, and a thousand at most', async () => {
    const signal = await listen()
    const errors = (at: number, startsAt: string) =>
      ({ name: `errors ${at}`, status: 'firing', startsAt }) as const
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_none, at) => send(signal, fromAlertmanager(errors(at, ago(5))))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
    expect((await knownOf(signal.id)).firing).toHaveLength(8)
    const many = (length: number) =>
      fromAlertmanager(...Array.from({ length }, (_none, at) => errors(at + 100, ago(1))))
    await send(signal, many(limits.alertsPerSignal))
    const { firing } = await knownOf(signal.id)
    expect(firing).toHaveLength(limits.alertsPerSignal)
    // The newest stay.
    expect(new Set(firing.map(([, since]) => since))).toEqual(new Set([ago(1)]))
    const refused = await send(signal, many(limits.alertsPerSignal + 1))
    expect([refused.status, refused.problem.errors[0].pointer]).toEqual([422, '/alerts'])
  })

  it.each([
    ['"firing"', 422, ''],
    [{ status: 'pending' }, 422, '/status'],
    [{}, 422, '/status'],
    [{ alerts: {} }, 422, '/alerts'],
    [{ alerts: [{ status: 'firing' }, null] }, 422, '/alerts/1'],
    [{ alerts: [{ status: 'firing' }, { status: 'pending' }] }, 422, '/alerts/1/status'],
  ])(
    '%j is refused with the place and the remedy, and nothing of it is kept',
    async (body, status, pointer) => {
      const signal = await listen()
      const answer = await send(signal, body)
      expect([answer.status, answer.problem.errors[0].pointer]).toEqual([status, pointer])
      expect(answer.problem.errors[0].detail).toContain('Alertmanager')
      expect(await knownOf(signal.id)).toEqual({ firing: [], isHeard: false })
    },
  )

  it('that are no JSON, or too much of it, are refused', async () => {
    const signal = await listen()
    expect((await send(signal, '{')).problem.code).toBe('invalid_json')
    const much = JSON.stringify({ status: 'firing', more: 'x'.repeat(1024 * 1024) })
    expect((await send(signal, much)).problem.code).toBe('body_too_large')
    expect(await knownOf(signal.id)).toEqual({ firing: [], isHeard: false })
  })
})

describe('alerts of Sentry', () => {
  const eventId = 'e4874d664c3540c1a32eab185f12c5ab'

  it('fire and resolve as incidents, by the signature of the very bytes', async () => {
    const { id } = await listenToSentry()
    const critical = fromSentryMetric('critical', { startedAt: ago(3) })
    expect((await signed(id, 'metric_alert', critical)).status).toBe(202)
    const [[, since] = []] = (await knownOf(id)).firing
    expect(since).toBe(ago(3))
    await signed(id, 'metric_alert', fromSentryMetric('warning', { startedAt: ago(3) }))
    expect((await knownOf(id)).firing).toHaveLength(1)
    await signed(id, 'metric_alert', fromSentryMetric('resolved', { id: '5' }))
    expect((await knownOf(id)).firing).toHaveLength(1)
    await signed(id, 'metric_alert', fromSentryMetric('resolved'))
    expect(await knownOf(id)).toEqual({ firing: [], isHeard: true })
    const text = JSON.stringify(critical)
    const signature = createHmac('sha256', clientSecret).update(text).digest('hex')
    const headers = { 'sentry-hook-resource': 'metric_alert', 'sentry-hook-signature': signature }
    expect((await post(id, `${text} `, headers)).problem.code).toBe('invalid_credentials')
  })

  it('about an event fire for five minutes', async () => {
    const { id } = await listenToSentry()
    await signed(id, 'event_alert', fromSentryEvent(eventId))
    expect((await knownOf(id)).firing).toEqual([[`event:${eventId}`, clock.toISOString()]])
    const test = async () => (await app.ok('admin', `POST /signals/${id}/test`, { body: {} })).body
    expect(await test()).toMatchObject({ verdict: 'bad' })
    clock = new Date(clock.getTime() + 300_000)
    expect(await test()).toMatchObject({ verdict: 'good' })
    const other = 'f4874d664c3540c1a32eab185f12c5ab'
    await signed(id, 'event_alert', fromSentryEvent(other))
    expect((await knownOf(id)).firing.map(([name]) => name)).toEqual([`event:${other}`])
  })

  it('about anything else are answered and leave nothing, and bad ones are refused', async () => {
    const { id } = await listenToSentry()
    const installed = { action: 'created', data: { installation: { status: 'installed' } } }
    expect((await signed(id, 'installation', installed)).status).toBe(202)
    for (const [resource, body, pointer] of [
      ['metric_alert', { action: 'critical', data: {} }, '/data'],
      ['metric_alert', fromSentryMetric('triggered'), '/action'],
      ['event_alert', { data: null }, '/data'],
    ] as const) {
      const { status, problem } = await signed(id, resource, body)
      expect([status, problem.errors[0].pointer]).toEqual([422, pointer])
    }
    expect(await knownOf(id)).toEqual({ firing: [], isHeard: false })
  })
})

describe('the address of a signal', () => {
  it('answers the same for a wrong secret, another signal’s, another kind and no signal at all', async () => {
    const [signal, other] = [await listen(), await listen('other')]
    const sentry = await listenToSentry()
    const spec = { kind: 'http', url: 'https://shop.example.com', expect: '2xx' }
    const page = (await app.ok('admin', 'POST /signals', { body: { name: 'page', spec } })).body
    const absent = newId('sig', new Date())
    const body = { status: 'firing' }
    const event = fromSentryEvent('e4874d664c3540c1a32eab185f12c5ab')
    const answers = [
      await send({ ...signal, secret: 'planted-secret' }, body),
      await send({ ...signal, secret: other.secret }, body),
      await send({ ...signal, id: absent }, body),
      await send({ ...signal, id: page.id }, body),
      await send({ ...signal, id: sentry.id }, body),
      await signed(sentry.id, 'event_alert', event, 'planted-secret'),
      await signed(absent, 'event_alert', event),
      await signed(signal.id, 'event_alert', event, ''),
      await signed(page.id, 'event_alert', event),
      await post(sentry.id, event, { 'sentry-hook-signature': 'planted' }),
      await post(signal.id, body, { authorization: 'Basic Og==' }),
    ].map(({ status, problem: { instance: _id, ...problem } }) => ({ status, problem }))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 401, problem: { code: 'invalid_credentials' } })
    expect(JSON.stringify(answers)).not.toContain('planted')
    expect((await post(signal.id, body, {})).problem.code).toBe('missing_credentials')
    for (const { id } of [signal, other, sentry])
      expect(await knownOf(id)).toEqual({ firing: [], isHeard: false })
  })

  it('takes no earlier secret, and after a new one waits to be heard', async () => {
    const signal = await listen()
    await send(signal, { status: 'resolved' })
    const { body } = await app.ok('admin', `PATCH /signals/${signal.id}`, {
      body: { newSecret: true },
    })
    expect((await send(signal, { status: 'firing' })).status).toBe(401)
    expect(await knownOf(signal.id)).toEqual({ firing: [], isHeard: false })
    expect((await send(body, { status: 'resolved' })).status).toBe(202)
  })

  it('limits guesses by their address, and lets the right secret through that it knows', async () => {
    const limiter = createRateLimiter({
      ...defaultRateLimits,
      open: { perSecond: 1e6, burst: 1e6 },
    })
    const limited = await openConfigApp({ limiter, guard: createCredentialGuard(limiter) })
    app = limited
    const signal = await listen()
    expect((await send(signal, { status: 'resolved' })).status).toBe(202)
    const codes: string[] = []
    for (let at = 0; at < 70; at += 1)
      codes.push((await send({ ...signal, secret: `guess${at}` }, {})).problem.code)
    expect(codes.slice(0, 60)).toEqual(Array(60).fill('invalid_credentials'))
    expect(codes.at(-1)).toBe('rate_limited')
    expect((await send(signal, { status: 'resolved' })).status).toBe(202)
    await limited.close()
  })
})

describe('a test of a signal', () => {
  it('reads it now, keeps what it says, and names what the query needs', async () => {
    const environmentId = await app.addEnvironment('production')
    const flag = { type: 'boolean', tier: 'featureFlags', default: false } as const
    const schemaId = await app.addSchema('shop', { beta: flag })
    const spec = {
      kind: 'prometheus',
      url: 'https://prometheus.invalid',
      query: 'errors{env="{environment}",flag="{flag}"}',
      above: 2,
    }
    const { id } = (await app.ok('admin', 'POST /signals', { body: { name: 'errors', spec } })).body
    const test = (body: object, as = 'admin') => app.call(as, `POST /signals/${id}/test`, { body })
    expect((await test({}, 'developer')).status).toBe(403)
    for (const [body, pointer] of [
      [{}, '/environmentId'],
      [{ environmentId }, '/schemaId'],
      [{ environmentId: newId('env', new Date()), schemaId }, '/environmentId'],
      [{ environmentId, schemaId: newId('sch', new Date()) }, '/schemaId'],
    ] as const) {
      const { status, body: problem } = await test(body)
      expect([status, problem.errors[0].pointer]).toEqual([422, pointer])
    }
    const { body } = await test({ environmentId, schemaId })
    expect(body).toMatchObject({ verdict: 'none', detail: 'could not be reached' })
    expect((await app.ok('viewer', `GET /signals/${id}`)).body.last).toEqual(body)
  })
})
