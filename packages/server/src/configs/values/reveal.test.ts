import type { UserActor } from '../../http/admission/actor.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import { afterAll, beforeAll, expect, describe, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let path: string

const person = (userId: string, authenticatedAt?: Date): UserActor => ({
  type: 'user',
  userId,
  name: 'Ada',
  email: 'ada@example.com',
  credentialId: `session_${userId}`,
  ...(authenticatedAt === undefined ? { via: 'token' } : { via: 'session', authenticatedAt }),
})

beforeAll(async () => {
  const wide = { perSecond: 1e6, burst: 1e6 }
  const limits = { ...defaultRateLimits, session: wide, write: wide, read: wide }
  app = await openConfigApp({ limiter: createRateLimiter(limits, () => 0) })
  const environmentId = await app.addEnvironment('production')
  const schemaId = await app.addSchema('api', { token: { type: 'string' } })
  const body = { schemaId, environmentId, values: { token: 'canary' } }
  await app.ok('m2m', 'PUT /config-values', { body })
  path = `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`
})
afterAll(() => app.close())

const countRevealed = async () =>
  (await app.test.asOwner(`select from audit_events where action = 'secret.revealed'`)).length

const statusesOf = async (as: string, request: string, count: number) => {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await app.call(as, request)).status)
  return statuses
}
const shown = Array.from({ length: 30 }, () => 200)

describe('secrets that a person asks to see', () => {
  it('are shown thirty times a minute, and no look beyond that is taken', async () => {
    app.setActor('ada', person('usr_ada'), 'developer')
    const before = await countRevealed()
    expect(await statusesOf('ada', `${path}&reveal=true`, 31)).toEqual([...shown, 429])
    const refused = await app.call('ada', `${path}&reveal=true`)
    expect(refused.body).toMatchObject({ code: 'rate_limited' })
    expect(refused.text).not.toContain('canary')
    expect((await countRevealed()) - before).toBe(30)
  })

  it('cost an allowance of their own, which neither other reads nor other people use up', async () => {
    app.setActor('bob', person('usr_bob'), 'developer')
    expect(await statusesOf('bob', path, 31)).toEqual([...shown, 200])
    expect(await statusesOf('m2m', `${path}&reveal=true`, 31)).toEqual([...shown, 200])
    expect((await app.call('bob', `${path}&reveal=true`)).status).toBe(200)
  })

  it('are shown in a browser only to who typed the password within ten minutes', async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    app.setActor('late', person('usr_eve', minutesAgo(11)), 'developer')
    app.setActor('fresh', person('usr_eve', minutesAgo(9)), 'developer')
    const refused = await app.call('late', `${path}&reveal=true`)
    expect(refused.body).toMatchObject({ status: 403, code: 'step_up_required' })
    expect(refused.text).not.toContain('canary')
    expect((await app.call('late', path)).status).toBe(200)
    expect((await app.ok('fresh', `${path}&reveal=true`)).text).toContain('canary')
  })
})

describe('a link on a page of another site', () => {
  it.each(['cross-site', 'same-site'])(
    '%s shows no secret, takes no look and leaves no event',
    async (site) => {
      app.setActor('linked', person(`usr_${site}`, new Date()), 'developer')
      const before = await countRevealed()
      const headers = { 'sec-fetch-site': site }
      const request = `${path}&reveal=true`
      for (let i = 0; i < 31; i++) {
        const refused = await app.call('linked', request, { headers })
        expect(refused.body).toMatchObject({ status: 403, code: 'csrf_failed' })
        expect(refused.text).not.toContain('canary')
      }
      expect(await countRevealed()).toBe(before)
      expect((await app.call('linked', path, { headers })).status).toBe(200)
      for (const own of ['same-origin', 'none']) {
        const shown = await app.ok('linked', request, { headers: { 'sec-fetch-site': own } })
        expect(shown.text).toContain('canary')
      }
    },
  )

  it('is nothing to a token, which no browser sends by itself', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await app.call('m2m', `${path}&reveal=true`, { headers })).status).toBe(200)
  })
})

describe('secrets that become public', () => {
  const ownPage = { 'sec-fetch-site': 'same-origin', 'x-requested-by': 'dashboard' }
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

  it('take what a look at them takes: a password that was typed within ten minutes', async () => {
    app.setActor('late', person('usr_late', minutesAgo(11)), 'developer')
    app.setActor('fresh', person('usr_late', minutesAgo(9)), 'developer')
    const environmentId = await app.addEnvironment('exposed')
    const schemaId = await app.addSchema('exposed', { k: { type: 'string' } })
    for (const k of ['canary-1', 'canary-2']) {
      await app.ok('m2m', 'PUT /config-values', {
        body: { schemaId, environmentId, values: { k } },
      })
    }
    const ask = (as: string, request: string, body: object) =>
      app.call(as, request, { body, headers: ownPage })
    const outcome = ({ status, body }: Awaited<ReturnType<typeof ask>>) => body?.code ?? status

    const expose = { schema: { k: { type: 'string', tier: 'public' } }, exposeKeys: ['k'] }
    const replace = `PUT /config-schemas/${schemaId}`
    expect(outcome(await ask('late', replace, expose))).toBe('step_up_required')
    expect(outcome(await ask('late', replace, { ...expose, dryRun: true }))).toBe(200)
    expect(outcome(await ask('fresh', replace, expose))).toBe(200)
    const [changed] = await app.test.asOwner(
      "select detail from audit_events where action = 'schema.changed' order by sequence desc limit 1",
    )
    expect(changed).toMatchObject({ detail: { keys: ['k'], exposed: ['k'] } })

    const list = `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`
    const { items } = (await app.ok('late', list)).body
    const versionId: string = items.at(-2).id
    const forced: [string, object][] = [
      [`POST /config-versions/${versionId}/restore`, { force: true }],
      ['POST /config-versions/restore', { restores: [{ versionId }], force: true }],
    ]
    for (const [request, body] of forced) {
      expect(outcome(await ask('late', request, body))).toBe('step_up_required')
      expect(outcome(await ask('late', request, { ...body, dryRun: true }))).toBeLessThan(300)
    }
    const current = await app.ok(
      'late',
      `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
    expect(current.body.values.k.value).toBe('canary-2')
    for (const [request, body] of forced) {
      expect(outcome(await ask('fresh', request, body))).toBeLessThan(300)
    }
  })
})

describe('secrets that come to another environment', () => {
  const ownPage = { 'sec-fetch-site': 'same-origin', 'x-requested-by': 'dashboard' }
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

  it('take the password again, by promotion and by inheritance; what is open does not', async () => {
    app.setActor('late', person('usr_carl', minutesAgo(11)), 'developer')
    app.setActor('fresh', person('usr_carl', minutesAgo(9)), 'developer')
    const [from, to] = [await app.addEnvironment('source'), await app.addEnvironment('target')]
    const schemaId = await app.addSchema('carried', {
      token: { type: 'string' },
      url: { type: 'string', tier: 'public' },
    })
    const values = { token: 'canary', url: 'https://a.example' }
    await app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId: from, values } })
    const outcome = async (as: string, request: string, body: object) => {
      const { status, body: answer } = await app.call(as, request, { body, headers: ownPage })
      return answer?.code ?? status
    }
    const promote = (as: string, more: object) =>
      outcome(as, 'POST /config-values/promote', {
        schemaId,
        fromEnvironmentId: from,
        toEnvironmentId: to,
        ...more,
      })
    const secrets = { include: ['secret'] }
    expect(await promote('late', { ...secrets, dryRun: true })).toBe(200)
    expect(await promote('late', secrets)).toBe('step_up_required')
    expect(await promote('late', { keys: ['url'] })).toBe(200)
    const inherit = (as: string, parentId: string | null) =>
      outcome(as, `PATCH /environments/${to}`, { parentId })
    expect(await inherit('late', from)).toBe('step_up_required')
    const current = `GET /config-values?schemaId=${schemaId}&environmentId=${to}`
    expect((await app.ok('late', current)).body.values.token.source).toBe('missing')
    expect(await inherit('fresh', from)).toBe(200)
    expect(await inherit('late', null)).toBe(200)
    expect(await promote('fresh', secrets)).toBe(200)
    expect((await app.ok('late', current)).body.values.token.source).toBe('set')
  })
})
