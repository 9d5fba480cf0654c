import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { bootstrapToken, openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'

let app: IdentityApp
let person: Awaited<ReturnType<IdentityApp['addPerson']>>
let people = 0

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  person = await app.addPerson(`person${++people}`)
})

type Headers = Record<string, string>
const list = async (headers: Headers) => (await app.ok('GET /sessions', { headers })).body.items
const end = (headers: Headers, id: string) => app.call(`DELETE /sessions/${id}`, { headers })
const isOpen = async (headers: Headers, node: Pick<IdentityApp, 'call'> = app) =>
  (await node.call('GET /me', { headers })).status === 200

describe('GET /sessions', () => {
  it('lists the person’s own, the last used first, and says which one asks', async () => {
    const first = await app.openBrowser(person.userId)
    app.clock.advance(120_000)
    const second = await app.openBrowser(person.userId)
    await app.openBrowser((await app.addPerson(`other${people}`)).userId)
    const items = await list(second)
    expect(items.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^session_[0-9a-f]{32}$/),
      current: true,
      client: null,
      ip: '192.0.2.1',
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect(JSON.stringify(items)).not.toContain(first['cookie']?.slice('__Host-s='.length))
    app.clock.advance(12 * 3600 * 1000)
    expect(await list(await app.openBrowser(person.userId))).toHaveLength(1)
  })

  it('marks none for a token, and is nobody’s for the bootstrap token', async () => {
    await app.openBrowser(person.userId)
    const { items } = (await app.ok('GET /sessions', { as: person.token })).body
    expect(items.map(({ current }: { current: boolean }) => current)).toEqual([false])
    const refused = await app.call('GET /sessions', { as: bootstrapToken })
    expect(refused.body.code).toBe('role_forbidden')
  })
})

describe('DELETE /sessions/{session_id}', () => {
  it('ends one on every node at once, with one event', async () => {
    const [own, lost] = [await app.openBrowser(person.userId), await app.openBrowser(person.userId)]
    const other = await app.openNode()
    const [id] = (await list(own)).flatMap((each: { id: string; current: boolean }) =>
      each.current ? [] : [each.id],
    )
    await expectOneEvent(app.test, 'session.ended', async () => {
      const answer = await end(own, id)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([204, null])
    })
    expect([await isOpen(lost, other), await isOpen(own, other)]).toEqual([false, true])
    expect((await end(own, id)).status).toBe(404)
  })

  it('takes the cookie along when it is the one that asks', async () => {
    const own = await app.openBrowser(person.userId)
    const [{ id }] = await list(own)
    expect((await end(own, id)).headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await isOpen(own)).toBe(false)
  })

  it('reaches nobody else’s: the same bytes as for one that does not exist', async () => {
    const own = await app.openBrowser(person.userId)
    const stranger = await app.openBrowser((await app.addPerson(`stranger${people}`)).userId)
    const [{ id }] = await list(stranger)
    await expectNoEvent(app.test, async () => {
      const answers = [await end(own, id), await end(own, `session_${'0'.repeat(32)}`)]
      const shown = answers.map(({ status, body }) => ({ status, ...body, instance: '' }))
      expect(shown[0]).toMatchObject({ status: 404 })
      expect(shown[0]).toEqual(shown[1])
    })
    expect(await isOpen(stranger)).toBe(true)
  })
})

describe('DELETE /sessions', () => {
  it('ends all of the person’s but the one that asks, with one event', async () => {
    const own = await app.openBrowser(person.userId)
    const others = [await app.openBrowser(person.userId), await app.openBrowser(person.userId)]
    const stranger = await app.openBrowser((await app.addPerson(`bystander${people}`)).userId)
    const endOthers = () => app.call('DELETE /sessions', { headers: own })
    const event = await expectOneEvent(app.test, 'session.others_ended', endOthers)
    expect(event.detail).toEqual({ ended: 2 })
    const open = await Promise.all([own, stranger, ...others].map((each) => isOpen(each)))
    expect(open).toEqual([true, true, false, false])
    await expectNoEvent(app.test, endOthers)
  })
})
