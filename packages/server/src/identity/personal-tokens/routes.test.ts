import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { newToken } from '../../crypto/tokens.ts'
import { purgeCredentials } from '../purge-credentials.ts'
import { openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'

let app: IdentityApp
let ada: Awaited<ReturnType<IdentityApp['addPerson']>>
let browser: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await openIdentityApp()
  ada = await app.addPerson('ada')
  browser = await app.openBrowser(ada.userId)
})
afterAll(() => app.close())

const create = (body: object = {}, headers = browser) =>
  app.call('POST /me/tokens', { body: { name: 'laptop', ...body }, headers })
const codeFor = async (token: string) => (await app.call('GET /me', { as: token })).body.code

describe('POST /me/tokens', () => {
  it('makes a token that may do what the person may, and shows it once', async () => {
    let made = await create()
    const event = await expectOneEvent(app.test, 'token.created', async () => {
      made = await create()
    })
    expect(made.status).toBe(201)
    expect(made.body.secret).toMatch(/^sbx_pat_[0-9A-Za-z]{46}$/)
    expect(event.target).toEqual({
      type: 'personal_access_token',
      id: made.body.id,
      name: 'laptop',
    })
    const me = await app.ok('GET /me', { as: made.body.secret })
    expect(me.body).toMatchObject({ type: 'user', id: ada.userId })
    const list = await app.ok('GET /me/tokens', { as: ada.token })
    expect(list.text).not.toContain(made.body.secret.slice(18))
    const rows = await app.test.asOwner('select t::text from personal_access_tokens t')
    expect(JSON.stringify(rows)).not.toContain(made.body.secret.slice(18))
  })

  it('ends with its expiry', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const { secret } = (await create({ expiresAt })).body
    expect(await codeFor(secret)).toBeUndefined()
    app.clock.advance(60_000)
    expect(await codeFor(secret)).toBe('expired_credentials')
    const past = await create({ expiresAt: '2020-01-01T00:00:00Z' })
    expect([past.status, past.body.errors[0].pointer]).toEqual([422, '/expiresAt'])
  })

  it('ends after 90 days where no end is named, and never where none is wanted', async () => {
    const { body } = await create()
    const lifetimeMs = Date.parse(body.expiresAt) - Date.parse(body.createdAt)
    expect(lifetimeMs).toBe(90 * 24 * 60 * 60 * 1000)
    expect((await create({ expiresAt: null })).body.expiresAt).toBeNull()
  })

  it('stops at 50 tokens', async () => {
    const { userId } = await app.addPerson('collector')
    const headers = await app.openBrowser(userId)
    await app.test.asOwner(
      `insert into personal_access_tokens (id, user_id, name, handle, hash)
       select 'key_' || n, $1, 'n', 'h' || n, '' from generate_series(1, 48) n`,
      [userId],
    )
    const answers = await Promise.all([1, 2, 3].map(() => create({}, headers)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })
})

describe('DELETE /me/tokens/{token_id}', () => {
  it('revokes on every node at once', async () => {
    const { id, secret } = (await create()).body
    const other = await app.openNode()
    await expectOneEvent(app.test, 'token.revoked', () =>
      app.ok(`DELETE /me/tokens/${id}`, { as: ada.token }),
    )
    expect(await codeFor(secret)).toBe('revoked_credentials')
    expect((await other.call('GET /me', { as: secret })).body.code).toBe('revoked_credentials')
    const list = await app.ok('GET /me/tokens', { as: ada.token })
    expect(list.body.items.map((item: { id: string }) => item.id)).not.toContain(id)
  })

  it('reaches nobody else’s tokens: the same bytes as for one that does not exist', async () => {
    const bob = await app.addPerson('bob')
    const foreign = await app.call(`DELETE /me/tokens/${bob.tokenId}`, { as: ada.token })
    const absent = await app.call('DELETE /me/tokens/key_01jd2m4x9k0000000000000000', {
      as: ada.token,
    })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, instance: '' }).toEqual({ ...absent.body, instance: '' })
    expect(await codeFor(bob.token)).toBeUndefined()
  })
})

describe('a token', () => {
  it('says expired or revoked only to who has its secret part', async () => {
    const { id, secret } = (await create()).body
    await app.ok(`DELETE /me/tokens/${id}`, { as: ada.token })
    const other = newToken('pat')
    await app.test.asOwner('update personal_access_tokens set handle = $1 where id = $2', [
      other.handle,
      id,
    ])
    expect(await codeFor(other.token)).toBe('invalid_credentials')
    expect(await codeFor(secret)).toBe('invalid_credentials')
  })

  it('notes its last use in batches', async () => {
    const { token, tokenId } = await app.addPerson('user')
    await app.ok('GET /me', { as: token })
    const lastUsed = () =>
      app.test.asOwner('select last_used_at from personal_access_tokens where id = $1', [tokenId])
    expect(await lastUsed()).toEqual([{ last_used_at: null }])
    await app.uses.flush()
    expect(await lastUsed()).toEqual([{ last_used_at: expect.any(Date) }])
  })
})

describe('purgeCredentials', () => {
  it('removes what was revoked 400 days ago, and keeps what was revoked yesterday', async () => {
    const [old, recent] = [(await create()).body, (await create()).body]
    for (const { id } of [old, recent]) await app.ok(`DELETE /me/tokens/${id}`, { as: ada.token })
    await app.test.asOwner(
      `update personal_access_tokens set revoked_at = now() - interval '401 days' where id = $1`,
      [old.id],
    )
    await purgeCredentials({ store: app.test.store, now: () => new Date() })
    expect(await codeFor(old.secret)).toBe('invalid_credentials')
    expect(await codeFor(recent.secret)).toBe('revoked_credentials')
  })
})
