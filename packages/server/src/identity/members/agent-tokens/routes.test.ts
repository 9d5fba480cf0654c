import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../../audit/testing/expect-audit.ts'
import { endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { purgeCredentials } from '../../purge-credentials.ts'
import { openIdentityApp, type IdentityApp } from '../../testing/open-identity-app.ts'

let app: IdentityApp
let org: string
let ada: Awaited<ReturnType<IdentityApp['addPerson']>>
let vera: Awaited<ReturnType<IdentityApp['addPerson']>>
let adasBrowser: Readonly<Record<string, string>>
let verasBrowser: Readonly<Record<string, string>>

const dayMs = 86_400_000

beforeAll(async () => {
  app = await openIdentityApp()
  org = await app.addOrganization('Acme')
  ada = await app.addPerson('ada', { [org]: 'admin' })
  vera = await app.addPerson('vera', { [org]: 'viewer' })
  adasBrowser = await app.openBrowser(ada.userId)
  verasBrowser = await app.openBrowser(vera.userId)
})
afterAll(() => app.close())

const create = (body: object = {}, headers = verasBrowser) =>
  app.call(`POST /organizations/${org}/agent-tokens`, {
    body: { name: 'claude', ...body },
    headers,
  })
const list = async (headers: Readonly<Record<string, string>>) =>
  (await app.ok(`GET /organizations/${org}/agent-tokens`, { headers })).body.items
const end = (id: string, headers: Readonly<Record<string, string>>) =>
  app.call(`DELETE /organizations/${org}/agent-tokens/${id}`, { headers })

describe('an agent token', () => {
  it('reads for seven days unless more is asked for, and is shown once', async () => {
    let made = await create()
    const event = await expectOneEvent(app.test, 'agent_token.created', async () => {
      made = await create()
    })
    const { secret, createdAt, expiresAt, ...shown } = made.body
    expect(secret).toMatch(/^sbx_agt_[0-9A-Za-z]{46}$/)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * dayMs)
    expect(shown).toMatchObject({
      name: 'claude',
      scope: 'read',
      member: { id: vera.userId, name: 'vera' },
      client: null,
      lastUsedAt: null,
    })
    expect(event).toMatchObject({ detail: { scope: 'read', expiresAt } })
    expect(JSON.stringify(await list(adasBrowser))).not.toContain(secret.slice(18))
    const rows = await app.test.asOwner('select t::text from agent_tokens t')
    expect(JSON.stringify(rows)).not.toContain(secret.slice(18))
  })

  it.each([
    ['more than 30 days', 30 * dayMs + 60_000],
    ['the past', -60_000],
  ])('is not made for %s', async (_, aheadMs) => {
    const expiresAt = new Date(app.clock.now().getTime() + aheadMs).toISOString()
    const { status, body } = await create({ expiresAt })
    expect([status, body.errors[0].pointer]).toEqual([422, '/expiresAt'])
  })

  it('is not kept for more than 30 days by the database either', async () => {
    const sql = `update agent_tokens set expires_at = created_at + interval '30 days 1 second'`
    await expect(app.test.asOwner(sql)).rejects.toThrow('agent_tokens_check')
  })

  it('opens no endpoint by itself, whatever the endpoint reads', async () => {
    const { secret } = (await create({ scope: 'write' }, adasBrowser)).body
    const shapes: readonly EndpointShape[] = app.router.endpoints
    const guarded = shapes.filter(({ access }) => !['open', 'assistant'].includes(access.kind))
    expect(guarded.length).toBeGreaterThan(20)
    for (const { method, path } of guarded) {
      const answer = await app.call(`${method} ${path.replace('{org_id}', org)}`, { as: secret })
      expect([path, answer.body.code]).toEqual([path, 'agent_token_forbidden'])
    }
  })

  it('shows and ends one’s own, and for an admin those of every member', async () => {
    const veras = (await create()).body.id
    const adas = (await create({}, adasBrowser)).body.id
    const ids = async (headers: Readonly<Record<string, string>>) =>
      (await list(headers)).map(({ id }: { id: string }) => id)
    expect(await ids(verasBrowser)).toContain(veras)
    expect(await ids(verasBrowser)).not.toContain(adas)
    expect(await ids(adasBrowser)).toEqual(expect.arrayContaining([veras, adas]))
    expect((await end(adas, verasBrowser)).status).toBe(404)
    const event = await expectOneEvent(app.test, 'agent_token.ended', () => end(veras, adasBrowser))
    expect(event).toMatchObject({ detail: { userId: vera.userId } })
    expect((await end(veras, adasBrowser)).status).toBe(404)
    expect(await ids(verasBrowser)).not.toContain(veras)
  })

  it('ends at its time, by a press, and with the membership', async () => {
    const codeOf = async (as: string) =>
      (await app.call(`GET /organizations/${org}`, { as })).body.code
    const pressed = (await create()).body
    expect(await codeOf(pressed.secret)).toBe('agent_token_forbidden')
    await end(pressed.id, verasBrowser)
    expect(await codeOf(pressed.secret)).toBe('revoked_credentials')
    const mallory = await app.addPerson('mallory', { [org]: 'viewer' })
    const left = (await create({}, await app.openBrowser(mallory.userId))).body
    await app.test.asOwner('delete from members where user_id = $1', [mallory.userId])
    expect(await codeOf(left.secret)).toBe('invalid_credentials')
    const timed = (await create()).body
    app.clock.advance(7 * dayMs)
    expect(await codeOf(timed.secret)).toBe('expired_credentials')
    expect(await codeOf(`${timed.secret.slice(0, -1)}!`)).toBe('invalid_credentials')
  })

  it('stops at 20 tokens of a member, also when they are made at once', async () => {
    const collector = await app.addPerson('collector', { [org]: 'viewer' })
    const headers = await app.openBrowser(collector.userId)
    const answers = await Promise.all(Array.from({ length: 22 }, () => create({}, headers)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
  })

  it('is deleted 400 days after its end', async () => {
    const count = async () => (await app.test.asOwner('select 1 from agent_tokens')).length
    const later = (days: number) => () => new Date(app.clock.now().getTime() + days * dayMs)
    const before = await count()
    await purgeCredentials({ store: app.test.store, now: later(390) })
    expect(await count()).toBe(before)
    await purgeCredentials({ store: app.test.store, now: later(440) })
    expect(await count()).toBe(0)
  })
})

it('no endpoint that shows or takes a secret allows the tools of an assistant', () => {
  const shapes: readonly EndpointShape[] = Object.values(endpoints)
  const allowed = shapes.filter(({ agents }) => agents !== undefined)
  const names = allowed.map(({ operationId }) => operationId)
  for (const name of ['getConfigValues', 'setConfigValues', 'promoteConfigValues']) {
    expect(names).not.toContain(name)
  }
})
