import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { bootstrapToken, openIdentityApp, type IdentityApp } from '../testing/open-identity-app.ts'
import { deleteSnapshots } from '../../configs/publication/publication-rows.ts'
import { destroyOrganizations } from './destroy-organizations.ts'

let app: IdentityApp
let ada: { userId: string; token: string }

beforeAll(async () => {
  app = await openIdentityApp()
  ada = await app.addPerson('ada')
})
afterAll(() => app.close())

const create = (body: object, as = ada.token) => app.call('POST /organizations', { as, body })

describe('the organizations that a person owns', () => {
  it('are limited, whoever made them, and deleted ones do not count', async () => {
    const small = await app.openNode({ organizationsPerPerson: 2 })
    const { token } = await app.addPerson('founder')
    const found = () => small.call('POST /organizations', { as: token, body: { name: 'Mine' } })
    const made = await Promise.all([1, 2, 3].map(found))
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409])
    expect((await found()).body).toMatchObject({ code: 'quota_exceeded' })
    const id = made.find(({ status }) => status === 201)?.body.id
    await app.test.asOwner('update organizations set deleted_at = now() where id = $1', [id])
    expect((await found()).status).toBe(201)
    const script = { as: bootstrapToken, body: { name: 'By a script' } }
    expect((await small.call('POST /organizations', script)).status).toBe(201)
  })

  it('are as many as an operator wants', async () => {
    const small = await app.openNode({ organizationsPerPerson: 1 })
    const { token } = await app.addPerson('operator')
    const found = () => small.call('POST /organizations', { as: token, body: { name: 'First' } })
    const { body } = await found()
    expect((await found()).status).toBe(409)
    await app.test.asOwner(
      `insert into setup (token_hash, completed_at, first_org_id) values ('', now(), $1)`,
      [body.id],
    )
    expect((await found()).status).toBe(201)
    await app.test.asOwner('delete from setup where first_org_id = $1', [body.id])
  })
})

describe('POST /organizations', () => {
  it('are created by operators alone where the server says so, and a person learns it before they try', async () => {
    const first = await app.addOrganization('First of the server')
    await app.test.asOwner(
      `insert into setup (token_hash, first_org_id) values ('', $1)
        on conflict (singleton) do update set first_org_id = excluded.first_org_id`,
      [first],
    )
    const closed = await app.openNode({ onlyOperatorsCreate: true })
    const operator = await app.addPerson('operates', { [first]: 'owner' })
    const other = await app.addPerson('operates-nothing', { [first]: 'admin' })
    const answersTo = async (as: string) => {
      const { status, body } = await closed.call('POST /organizations', {
        as,
        body: { name: 'New' },
      })
      const me = await closed.ok('GET /me', { as })
      return [body.code ?? status, me.body.mayCreateOrganizations]
    }
    expect(await answersTo(other.token)).toEqual(['role_forbidden', false])
    expect(await answersTo(operator.token)).toEqual([201, true])
    expect(await answersTo(bootstrapToken)).toEqual([201, true])
    const open = await app.call('POST /organizations', { as: other.token, body: { name: 'Mine' } })
    expect(open.status).toBe(201)
    closed.feed.close()
  })

  it('makes the caller its owner, with a data key and one event', async () => {
    let id = ''
    const event = await expectOneEvent(app.test, 'org.created', async () => {
      const answer = await create({ name: 'Acme Inc.' })
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ name: 'Acme Inc.', slug: 'acme-inc' })
      id = answer.body.id
    })
    expect(event).toMatchObject({ org_id: id, actor: { id: ada.userId } })
    const me = await app.ok('GET /me', { as: ada.token })
    expect(me.body.organizations).toMatchObject([{ id, role: 'owner' }])
    expect(await app.test.asOwner('select version from data_keys where org_id = $1', [id])).toEqual(
      [{ version: 1 }],
    )
  })

  it('finds another slug when the one made of the name is taken, and refuses one that was asked for', async () => {
    const second = await create({ name: 'Acme, Inc' })
    expect(second.body.slug).toMatch(/^acme-inc-[0-9a-z]{6}$/)
    const asked = await create({ name: 'x', slug: 'acme-inc' })
    expect([asked.status, asked.body.code]).toEqual([409, 'already_exists'])
    expect(asked.body.errors[0].pointer).toBe('/slug')
  })

  it('never takes a slug with which another address of the server begins', async () => {
    const asked = await create({ name: 'x', slug: 'webhooks' })
    expect([asked.status, asked.body.code]).toEqual([409, 'already_exists'])
    const made = await create({ name: 'Webhooks' })
    expect(made.body.slug).toMatch(/^webhooks-[0-9a-z]{6}$/)
    const renamed = await app.call(`PATCH /organizations/${made.body.id}`, {
      as: ada.token,
      body: { slug: 'login' },
    })
    expect([renamed.status, renamed.body.code]).toEqual([409, 'already_exists'])
  })

  it('makes one organization of a request that is repeated', async () => {
    const headers = { 'idempotency-key': 'once' }
    const found = () =>
      app.ok('POST /organizations', { as: ada.token, body: { name: 'Once' }, headers })
    expect((await found()).body).toEqual((await found()).body)
  })

  it('by the bootstrap token makes nobody a member', async () => {
    const org = await app.addOrganization('Scripted')
    expect(await app.test.asOwner('select * from members where org_id = $1', [org])).toEqual([])
    const found = await app.ok(`GET /organizations/${org}`, { as: bootstrapToken })
    expect(found.body.name).toBe('Scripted')
  })
})

describe('GET /organizations', () => {
  it('lists page by page what the caller reaches, and nothing else', async () => {
    const { token } = await app.addPerson('pager')
    const names = ['One', 'Two', 'Three']
    for (const name of names) {
      await create({ name }, token)
      app.clock.advance(1)
    }
    const first = await app.ok('GET /organizations?limit=2', { as: token })
    const path = `GET /organizations?limit=2&cursor=${first.body.nextCursor}`
    const second = await app.ok(path, { as: token })
    const seen = [...first.body.items, ...second.body.items].map(({ name }) => name)
    expect(seen).toEqual(names)
    expect(second.body.nextCursor).toBeNull()
    expect((await app.call(path, { as: ada.token })).body.code).toBe('invalid_cursor')
  })

  it('is the one organization of an API key, and all for the bootstrap token', async () => {
    const org = await app.addOrganization('Alone')
    const { secret } = await app.addKey(org)
    const own = await app.ok('GET /organizations', { as: secret })
    expect(own.body.items.map(({ id }: { id: string }) => id)).toEqual([org])
    const all = await app.ok('GET /organizations?limit=100', { as: bootstrapToken })
    expect(all.body.items.length).toBeGreaterThan(3)
  })
})

describe('PATCH /organizations/{org_id}', () => {
  it('renames, and frees the old slug at once', async () => {
    const { id, slug } = (await create({ name: 'Old name' })).body
    const event = await expectOneEvent(app.test, 'org.updated', async () => {
      const answer = await app.ok(`PATCH /organizations/${slug}`, {
        as: ada.token,
        body: { name: 'New name', slug: 'new-name' },
      })
      expect(answer.body).toMatchObject({ id, name: 'New name', slug: 'new-name' })
    })
    expect(event.detail).toEqual({ fields: ['name', 'slug'] })
    expect((await app.call(`GET /organizations/${slug}`, { as: ada.token })).status).toBe(404)
    expect((await create({ name: 'Heir', slug })).status).toBe(201)
    const taken = await app.call(`PATCH /organizations/${id}`, { as: ada.token, body: { slug } })
    expect([taken.status, taken.body.code]).toEqual([409, 'already_exists'])
  })
})

describe('a slug that changes hands', () => {
  it('takes no stored answer with it: a repeat reaches the organization that it names by then', async () => {
    const one = (await create({ name: 'One', slug: 'passed-on' })).body.id
    const two = (await create({ name: 'Two', slug: 'waiting' })).body.id
    const addKey = () =>
      app.ok('POST /organizations/passed-on/api-keys', {
        as: ada.token,
        body: { name: 'a key', kind: 'm2m' },
        headers: { 'idempotency-key': 'passed-on' },
      })
    const rename = (id: string, slug: string) =>
      app.ok(`PATCH /organizations/${id}`, { as: ada.token, body: { slug } })
    const first = await addKey()
    expect((await addKey()).body.id).toBe(first.body.id)
    await rename(one, 'given-up')
    await rename(two, 'passed-on')
    const second = await addKey()
    expect(second.headers.get('idempotency-replayed')).toBeNull()
    const keys = await app.test.asOwner('select id from api_keys where org_id = $1', [two])
    expect(keys).toEqual([{ id: second.body.id }])
  })
})

describe('DELETE /organizations/{org_id}', () => {
  it('ends all access with the answer, and on every node', async () => {
    const { id, slug } = (await create({ name: 'Doomed' })).body
    const { secret } = await app.addKey(id)
    const other = await app.openNode()
    const exchanged = await app.ok('POST /oauth/token', {
      body: {
        grant_type: 'client_credentials',
        client_id: (await app.ok('GET /me', { as: secret })).body.id,
        client_secret: secret,
      },
    })
    await other.feed.refresh()
    const accessToken: string = exchanged.body.access_token
    expect((await other.call('GET /me', { as: accessToken })).status).toBe(200)

    await expectOneEvent(app.test, 'org.deleted', () =>
      app.ok(`DELETE /organizations/${id}`, { as: ada.token }),
    )
    await other.feed.refresh()
    for (const node of [app, other]) {
      for (const ref of [id, slug]) {
        for (const as of [ada.token, bootstrapToken]) {
          expect((await node.call(`GET /organizations/${ref}`, { as })).status).toBe(404)
        }
      }
      for (const as of [secret, accessToken]) {
        expect((await node.call('GET /me', { as })).body.code).toBe('revoked_credentials')
      }
    }
    expect((await create({ name: 'Next', slug })).status).toBe(201)
  })
})

describe('destroyOrganizations', () => {
  const destroy = () =>
    destroyOrganizations({ store: app.test.store, now: () => app.clock.now(), deleteSnapshots })

  it('destroys data and data key seven days after the deletion, and keeps the audit chain', async () => {
    const { id } = (await create({ name: 'Gone' })).body
    await app.addKey(id)
    for (const table of ['browser_snapshots', 'server_snapshots']) {
      await app.test.asOwner(
        `insert into ${table} (org_id, schema_id, environment_id, version, schema_name, environment_name, etag)
          values ($1, 'sch_gone', 'env_gone', 1, 'app', 'production', 'x')`,
        [id],
      )
    }
    const tables = await app.test.asOwner<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = current_schema() and column_name = 'org_id' and table_name !~ '^audit_'
          -- Topics and ids for the dashboards that are open, gone by themselves within minutes.
          and table_name <> 'live_changes'`,
    )
    const list = async () => {
      const found = []
      for (const { name } of tables) {
        const rows = await app.test.asOwner(`select 1 from ${name} where org_id = $1`, [id])
        if (rows.length > 0) found.push(name)
      }
      return found
    }
    await app.ok(`DELETE /organizations/${id}`, { as: ada.token })
    await destroy()
    app.clock.advance(7 * 24 * 3600 * 1000 - 60_000)
    await destroy()
    expect(await list()).toEqual(
      expect.arrayContaining(['api_keys', 'browser_snapshots', 'data_keys', 'server_snapshots']),
    )
    app.clock.advance(120_000)
    expect(await destroy()).toBeGreaterThan(0)
    expect(await list()).toEqual([])
    const events = await app.test.asOwner(
      'select action from audit_events where org_id = $1 order by sequence',
      [id],
    )
    expect(events.map(({ action }) => action)).toEqual([
      'org.created',
      'key.created',
      'org.deleted',
      'org.destroyed',
    ])
    expect(await destroy()).toBe(0)
  })

  it('destroys the others where one cannot be destroyed, and says why not', async () => {
    const ids: string[] = []
    for (const name of ['Stuck', 'Free']) ids.push((await create({ name })).body.id)
    // The first one that is destroyed.
    const [stuck] = ids.toSorted()
    for (const id of ids) await app.ok(`DELETE /organizations/${id}`, { as: ada.token })
    app.clock.advance(7 * 24 * 3600 * 1000 + 60_000)
    const attempt = destroyOrganizations({
      store: app.test.store,
      now: () => app.clock.now(),
      deleteSnapshots: async (tx, orgId) => {
        if (orgId === stuck) throw new Error('Something refers to it')
        await deleteSnapshots(tx, orgId)
      },
    })
    await expect(attempt).rejects.toThrow('Something refers to it')
    const left = await app.test.asOwner('select id from organizations where id = any ($1)', [ids])
    expect(left).toEqual([{ id: stuck }])
    expect(await destroy()).toBe(1)
  })
})
