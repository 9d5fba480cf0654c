import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../../configs/testing/open-config-app.ts'
import { enqueueWaitingTargets } from './jobs.ts'
import { mountTargets } from './routes.ts'
import { runTarget } from './run-target.ts'
import type { TargetDeps } from './target-deps.ts'
import { createFakeDestination, failed } from './testing/fake-destination.ts'

const secret = 'sk_live_never_shown_anywhere'
const destination = createFakeDestination()

const unreached = () => Promise.reject(new Error('Nothing is called'))

let app: ConfigApp
let deps: TargetDeps
let schemaId: string
let environmentId: string
let clock = new Date()
const enqueued: { readonly id: string; readonly startAfter: Date | undefined }[] = []

beforeAll(async () => {
  app = await openConfigApp({
    mount(router, { store, keys }) {
      deps = {
        // The whole store follows, once it is open.
        store: { ...store, maintenance: () => Promise.reject(new Error('not yet open')) },
        keys,
        jobs: {
          nodeId: 'node_1',
          enqueue: (_tx, _queue, data, { startAfter } = {}) =>
            Promise.resolve(
              void enqueued.push({ id: (data as { readonly id: string }).id, startAfter }),
            ),
        },
        openTarget: () => Promise.resolve(destination),
        contextOf: () => ({
          addresses: { web: 'https://github.example', api: 'https://api.github.example' },
          application: () => ({ values: { slug: 'signalbox' }, webhookSecrets: [] }),
          egress: { fetch: unreached, request: unreached },
          now: () => clock,
        }),
        now: () => clock,
      }
      mountTargets(router, deps)
    },
  })
  deps = { ...deps, store: app.test.store }
  await app.test.asOwner(`insert into nodes (id) values ('node_1')`)
  environmentId = await app.addEnvironment('production')
  schemaId = await app.addSchema('shop', {
    apiUrl: { type: 'string', tier: 'public' },
    retries: { type: 'number', tier: 'public' },
    stripeKey: { type: 'string', tier: 'secret' },
    newCheckout: { type: 'boolean', tier: 'featureFlags' },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  destination.reset()
  enqueued.length = 0
  clock = new Date()
  await app.test.asOwner('delete from targets')
  await set({ apiUrl: 'https://api.example.com', stripeKey: secret, newCheckout: true })
})

const set = (values: object) =>
  app.ok('admin', 'PUT /config-values', { body: { schemaId, environmentId, values } })
const create = async (body: object = {}, as = 'admin') =>
  app.call(as, 'POST /targets', {
    body: {
      name: 'Shop on GitHub',
      schemaId,
      environmentId,
      provider: 'github',
      destination: { repository: 'acme/shop' },
      tiers: ['public', 'featureFlags', 'secret'],
      ...body,
    },
  })
const made = async (body: object = {}) => (await create(body)).body.id as string
const plan = async (id: string) => (await app.ok('admin', `GET /targets/${id}/plan`)).body
const read = async (id: string) => (await app.ok('viewer', `GET /targets/${id}`)).body
const run = (id: string) => runTarget(deps, { orgId: app.orgId, id }, new AbortController().signal)
const start = async (id: string, adopt: object[] = []) => {
  await app.ok('admin', `POST /targets/${id}/runs`, { body: { adopt } })
  await run(id)
}
const foreign = (name: string, store: 'secret' | 'variable' = 'variable') =>
  destination.held.set(`${store}/${name}`, { store, name, value: 'somebody else’s' })
const heldNames = () => [...destination.held.keys()].toSorted()

describe('a target', () => {
  it('writes nothing before its first run, which a person asks for with a plan at hand', async () => {
    const id = await made()
    await set({ apiUrl: 'https://two.example.com' })
    await enqueueWaitingTargets(deps)
    expect(enqueued).toEqual([])
    expect(await plan(id)).toMatchObject({
      counts: { create: 3, update: 0, delete: 0, conflict: 0 },
      items: [
        { name: 'API_URL', store: 'variable', key: 'apiUrl', action: 'create' },
        { name: 'NEW_CHECKOUT', store: 'variable', key: 'newCheckout', action: 'create' },
        { name: 'STRIPE_KEY', store: 'secret', key: 'stripeKey', action: 'create' },
      ],
    })
    expect(destination.calls).toEqual([])
    await start(id)
    expect(destination.held.get('secret/STRIPE_KEY')?.value).toBe(secret)
    expect(destination.held.get('variable/NEW_CHECKOUT')?.value).toBe('true')
    expect(await read(id)).toMatchObject({
      state: 'active',
      names: 3,
      isPending: false,
      health: { state: 'ok' },
    })
  })

  it('writes the variable that a key declares, behind its prefix', async () => {
    const key = { type: 'string', tier: 'secret', default: secret } as const
    const named = await app.addSchema('named', { conn: { ...key, variable: 'Db__Conn' } })
    const id = await made({ name: 'Named', schemaId: named, prefix: 'SHOP_' })
    expect((await plan(id)).items).toMatchObject([{ name: 'SHOP_Db__Conn', key: 'conn' }])
  })

  it('follows each version of its environment, and writes what differs alone', async () => {
    const id = await made()
    await start(id)
    destination.calls.length = 0
    enqueued.length = 0
    await set({ apiUrl: 'https://two.example.com' })
    await set({ apiUrl: 'https://three.example.com' })
    await enqueueWaitingTargets(deps)
    expect(enqueued.map((job) => job.id)).toEqual([id])
    expect((await read(id)).isPending).toBe(true)
    await run(id)
    expect(destination.calls).toEqual(['put variable/API_URL'])
    expect(destination.held.get('variable/API_URL')?.value).toBe('https://three.example.com')
    const { items } = (await app.ok('viewer', `GET /targets/${id}/names`)).body
    const versionOf = (name: string) =>
      items.find((item: { readonly name: string }) => item.name === name).version
    expect(versionOf('API_URL')).toBeGreaterThan(versionOf('STRIPE_KEY'))
  })

  it('touches only names that it wrote', async () => {
    foreign('API_URL')
    foreign('OTHERS', 'secret')
    const id = await made()
    const { counts, items, untouched } = await plan(id)
    expect(counts).toMatchObject({ create: 2, conflict: 1 })
    expect(items[0]).toMatchObject({ name: 'API_URL', action: 'conflict', isAdoptable: true })
    expect(untouched).toEqual([{ name: 'OTHERS', store: 'secret' }])
    await start(id)
    expect(destination.held.get('variable/API_URL')?.value).toBe('somebody else’s')
    expect((await read(id)).health).toMatchObject({ state: 'failing', reason: 'names_taken' })
    await app.ok('admin', `DELETE /targets/${id}?names=remove`)
    await run(id)
    expect(heldNames()).toEqual(['secret/OTHERS', 'variable/API_URL'])
    expect((await app.call('viewer', `GET /targets/${id}`)).status).toBe(404)
  })

  it('overwrites what a person adopts, and nothing that is adopted without a key', async () => {
    foreign('API_URL')
    foreign('OTHERS', 'secret')
    const id = await made()
    await start(id, [
      { name: 'API_URL', store: 'variable' },
      { name: 'OTHERS', store: 'secret' },
    ])
    expect(destination.held.get('variable/API_URL')?.value).toBe('https://api.example.com')
    expect(destination.held.get('secret/OTHERS')?.value).toBe('somebody else’s')
    expect((await read(id)).health.state).toBe('ok')
  })

  it('adopts no variable that also belongs to other environments', async () => {
    foreign('API_URL')
    destination.unadoptable.add('API_URL')
    const id = await made()
    expect((await plan(id)).items[0]).toMatchObject({ action: 'conflict', isAdoptable: false })
    await start(id, [{ name: 'API_URL', store: 'variable' }])
    expect(destination.held.get('variable/API_URL')?.value).toBe('somebody else’s')
  })

  it('leaves a name that it wrote, and that belongs to others too since, as it is', async () => {
    const id = await made()
    await start(id)
    destination.unadoptable.add('API_URL')
    expect((await plan(id)).counts).toMatchObject({ keep: 3, conflict: 0 })
    await set({ apiUrl: 'https://two.example.com' })
    expect((await plan(id)).items[0]).toMatchObject({
      action: 'conflict',
      detail: 'It belongs to others too.',
      isAdoptable: false,
    })
    await run(id)
    expect(destination.held.get('variable/API_URL')?.value).toBe('https://api.example.com')
    expect((await read(id)).health).toMatchObject({
      reason: 'names_taken',
      detail: 'API_URL is somebody else’s or belongs to others too, and Signalbox leaves it alone.',
    })
    // It stays where it is too when its key is no longer chosen, and Signalbox forgets it.
    await app.ok('admin', `PATCH /targets/${id}`, { body: { tiers: ['secret'] } })
    await run(id)
    expect(heldNames()).toEqual(['secret/STRIPE_KEY', 'variable/API_URL'])
    expect((await plan(id)).untouched).toMatchObject([{ name: 'API_URL' }])
  })

  it('deletes what is no longer chosen', async () => {
    const id = await made()
    await start(id)
    await app.ok('admin', `PATCH /targets/${id}`, { body: { tiers: [], keys: ['stripeKey'] } })
    expect((await plan(id)).counts).toMatchObject({ keep: 1, delete: 2 })
    await run(id)
    expect(heldNames()).toEqual(['secret/STRIPE_KEY'])
  })

  it('leaves its names where they are when it is deleted so', async () => {
    const id = await made()
    await start(id)
    await app.ok('admin', `DELETE /targets/${id}?names=keep`)
    expect(heldNames()).toHaveLength(3)
    expect((await app.call('viewer', `GET /targets/${id}`)).status).toBe(404)
  })

  it('does not run while it is paused, and writes what changed meanwhile afterwards', async () => {
    const id = await made()
    await start(id)
    destination.calls.length = 0
    enqueued.length = 0
    await app.ok('admin', `POST /targets/${id}/pause`)
    await set({ apiUrl: 'https://paused.example.com' })
    await enqueueWaitingTargets(deps)
    await run(id)
    expect([enqueued, destination.calls]).toEqual([[], []])
    expect((await app.call('admin', `POST /targets/${id}/runs`, { body: {} })).status).toBe(409)
    await app.ok('admin', `POST /targets/${id}/resume`)
    await enqueueWaitingTargets(deps)
    expect(enqueued).toHaveLength(1)
    await run(id)
    expect(destination.calls).toEqual(['put variable/API_URL'])
  })

  it('is paused when the person who answers for it is no longer a member, until another one answers for it', async () => {
    const id = await made()
    await start(id)
    const { createdBy } = await read(id)
    expect(createdBy).toMatchObject({ type: 'user', name: 'admin' })
    const leave = async (userId: string) => {
      await app.test.asOwner(
        'insert into users (id, email, name) values ($1, $1, $1) on conflict do nothing',
        [userId],
      )
      const member = [app.orgId, userId]
      const sql = `insert into members (org_id, user_id, role) values ($1, $2, 'admin')`
      await app.test.asOwner(sql, member)
      await app.test.asOwner('delete from members where org_id = $1 and user_id = $2', member)
    }
    await leave('usr_another')
    expect((await read(id)).state).toBe('active')
    await leave(createdBy.id)
    expect(await read(id)).toMatchObject({
      state: 'paused',
      health: { state: 'failing', reason: 'maker_left' },
    })
    const before = new Map(destination.held)
    await set({ apiUrl: 'https://after.example.com' })
    await run(id)
    expect(destination.held).toEqual(before)
    await app.ok('owner', `POST /targets/${id}/resume`)
    await run(id)
    expect(await read(id)).toMatchObject({ state: 'active', health: { state: 'ok' } })
    await leave(createdBy.id)
    expect((await read(id)).state).toBe('active')
  })

  it('is refused where another one writes already', async () => {
    await made()
    const second = await create({ name: 'Again', destination: { repository: 'ACME/shop' } })
    expect([second.status, second.body.code]).toEqual([409, 'already_exists'])
    expect(second.body.detail).toContain('Shop on GitHub writes to ACME/shop already')
    expect(
      (await create({ destination: { repository: 'acme/shop', environment: 'qa' } })).status,
    ).toBe(201)
  })
})

describe('a run that is killed', () => {
  it.each(['before the call', 'after the call', 'after the ledger is written'])(
    'between two writes is repeated, and touches nothing of others: %s',
    async (moment) => {
      foreign('OTHERS')
      const id = await made()
      const killed = new Error('killed')
      let puts = 0
      const dying: TargetDeps = {
        ...deps,
        store: {
          ...deps.store,
          async transaction(scope, work) {
            const result = await deps.store.transaction(scope, work)
            if (moment === 'after the ledger is written' && puts === 2) throw killed
            return result
          },
        },
      }
      destination.before = () => {
        if (moment === 'before the call' && puts === 1) throw killed
      }
      destination.after = () => {
        puts += 1
        if (moment === 'after the call' && puts === 2) throw killed
      }
      await app.ok('admin', `POST /targets/${id}/runs`, { body: {} })
      const { signal } = new AbortController()
      await expect(runTarget(dying, { orgId: app.orgId, id }, signal)).rejects.toBe(killed)
      destination.before = destination.after = () => undefined
      clock = new Date(clock.getTime() + 120_000)
      await run(id)
      expect(heldNames()).toEqual([
        'secret/STRIPE_KEY',
        'variable/API_URL',
        'variable/NEW_CHECKOUT',
        'variable/OTHERS',
      ])
      expect(destination.held.get('variable/OTHERS')?.value).toBe('somebody else’s')
      expect(await read(id)).toMatchObject({ names: 3, health: { state: 'ok' } })
    },
  )
})

describe('a failure', () => {
  it('is the health of the target, with a next step, until a run succeeds', async () => {
    const id = await made()
    destination.before = () => {
      throw failed('forbidden')
    }
    await app.ok('admin', `POST /targets/${id}/runs`, { body: {} })
    await expect(run(id)).rejects.toMatchObject({ code: 'provider_error' })
    const { health, names } = await read(id)
    expect(health).toMatchObject({
      state: 'failing',
      reason: 'permission_missing',
      url: 'https://github.example/settings/apps/signalbox/permissions',
    })
    expect(health.nextStep).toContain('Secrets, Variables and Environments')
    // Nothing was written, so nothing is ours.
    expect(names).toBe(0)
    destination.before = () => undefined
    await run(id)
    expect((await read(id)).health).toMatchObject({ state: 'ok', reason: null, failingSince: null })
  })

  it('is announced to outgoing webhooks once, and holds no value', async () => {
    await app.test.asOwner(
      `insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, sealed_secrets, has_authorization, created_at)
       values ($1, 'whk_1', 'w', 'https://e.test', '{integration.attention}', 'generic', true, '\\x00', false, now())`,
      [app.orgId],
    )
    const id = await made()
    destination.before = () => {
      throw failed('notFound')
    }
    await app.ok('admin', `POST /targets/${id}/runs`, { body: {} })
    for (let tries = 0; tries < 2; tries += 1) await run(id).catch(() => undefined)
    const messages = await app.test.asOwner('select type, data from outgoing_messages')
    expect(messages).toEqual([
      {
        type: 'integration.attention',
        data: { id, kind: 'target', provider: 'github', state: 'failing', reason: 'not_found' },
      },
    ])
  })

  it('for too many requests is continued when the provider says', async () => {
    const id = await made()
    const retryAt = new Date(clock.getTime() + 300_000)
    destination.before = () => {
      throw failed('rateLimited', retryAt)
    }
    await app.ok('admin', `POST /targets/${id}/runs`, { body: {} })
    enqueued.length = 0
    await run(id)
    expect(enqueued).toEqual([{ id, startAfter: retryAt }])
    expect((await read(id)).health.reason).toBe('rate_limited')
  })

  it('of one name does not cost the others', async () => {
    const id = await made()
    destination.before = (call) => {
      if (call.endsWith('API_URL')) throw failed('rejected')
    }
    await start(id)
    expect(heldNames()).toEqual(['secret/STRIPE_KEY', 'variable/NEW_CHECKOUT'])
    const { health } = await read(id)
    expect(health).toMatchObject({ reason: 'rejected', detail: 'The provider refused API_URL.' })
  })

  it('names what a destination cannot hold, and writes the rest', async () => {
    await set({ apiUrl: '' })
    const id = await made()
    expect((await plan(id)).items[0]).toMatchObject({
      name: 'API_URL',
      action: 'refuse',
      detail: 'GitHub stores no empty value.',
    })
    await start(id)
    expect(heldNames()).toHaveLength(2)
    expect((await read(id)).health.reason).toBe('names_refused')
  })

  it('leaves out a variable that controls programs and a secret that browsers would get, and writes the rest', async () => {
    const other = await app.addSchema('steering', {
      apiUrl: { type: 'string', tier: 'public', default: 'x' },
      nodeOptions: { type: 'string', tier: 'public', default: '--require x' },
      viteToken: { type: 'string', tier: 'secret', default: 'canary' },
    })
    const id = await made({ schemaId: other, name: 'Steering' })
    const { items } = await plan(id)
    const refused = items.filter(({ action }: { action: string }) => action === 'refuse')
    expect(refused.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'NODE_OPTIONS',
      'VITE_TOKEN',
    ])
    await start(id)
    expect(heldNames()).toEqual(['variable/API_URL'])
  })
})

describe('two runs of a target', () => {
  it('never write at the same time: the second leaves a job behind', async () => {
    const id = await made()
    await app.ok('admin', `POST /targets/${id}/runs`, { body: {} })
    enqueued.length = 0
    let second: Promise<void> | undefined
    destination.before = () => {
      second ??= run(id)
    }
    await run(id)
    await second
    expect(destination.calls).toHaveLength(3)
    expect(enqueued).toHaveLength(1)
  })
})

it('leaves an adopted name to its owner when the provider refused to write it', async () => {
  const id = await made()
  foreign('API_URL')
  destination.before = (call) => {
    if (call === 'put variable/API_URL') throw failed('rejected')
  }
  await start(id, [{ store: 'variable', name: 'API_URL' }])
  destination.before = () => undefined
  await app.ok('admin', `PATCH /targets/${id}`, { body: { tiers: ['secret'] } })
  await run(id)
  expect(destination.held.get('variable/API_URL')?.value).toBe('somebody else’s')
})

describe('a secret', () => {
  it('is in no plan, no target, no audit event, no problem and no failed job', async () => {
    const id = await made()
    const seen = [JSON.stringify(await plan(id))]
    destination.before = (call) => {
      if (call.includes('STRIPE')) throw failed('unavailable')
    }
    await app.ok('admin', `POST /targets/${id}/runs`, { body: {} })
    const error: unknown = await run(id).catch((thrown: unknown) => thrown)
    seen.push(String(error), JSON.stringify(await read(id)))
    destination.before = () => undefined
    await run(id)
    seen.push((await app.ok('viewer', `GET /targets/${id}/names`)).text)
    const rows = await app.test.asOwner(
      'select action, detail::text, target::text from audit_events',
    )
    seen.push(JSON.stringify(rows))
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['target.created', 'target.run_requested', 'target.written']),
    )
    const stored = await app.test.asOwner('select row_to_json(n)::text as text from target_names n')
    seen.push(JSON.stringify(stored))
    for (const text of seen) expect(text).not.toContain(secret)
    expect(destination.held.get('secret/STRIPE_KEY')?.value).toBe(secret)
  })
})

describe('a change that is sent again with its Idempotency-Key', () => {
  it('is answered as the first time: to create, run, pause and resume', async () => {
    const twice = async (request: string, body?: object) => {
      const headers = { 'idempotency-key': `again-${enqueued.length}-${request.length}` }
      const send = () => app.call('admin', request, { headers, ...(body && { body }) })
      const [first, second] = [await send(), await send()]
      expect([request, first.status, second.status]).toEqual([
        request,
        expect.any(Number),
        first.status,
      ])
      expect(first.status).toBeLessThan(300)
      expect(second.body).toEqual(first.body)
      expect(second.headers.get('idempotency-replayed')).toBe('true')
      return first.body
    }
    const { id } = await twice('POST /targets', {
      name: 'Shop on GitHub',
      schemaId,
      environmentId,
      provider: 'github',
      destination: { repository: 'acme/shop' },
      tiers: ['public'],
    })
    expect(await twice(`POST /targets/${id}/runs`, {})).toMatchObject({ state: 'active' })
    expect(enqueued).toHaveLength(1)
    expect(await twice(`POST /targets/${id}/pause`)).toMatchObject({ state: 'paused' })
    expect(await twice(`POST /targets/${id}/resume`)).toMatchObject({ state: 'active' })
  })
})

describe('who may', () => {
  it('change one: admins and owners, and no key, whose finder would outlive its end', async () => {
    for (const as of ['viewer', 'developer', 'b2m', 'm2m']) {
      expect([as, (await create({}, as)).status]).toEqual([as, 403])
    }
    const id = await made()
    for (const request of [
      `PATCH /targets/${id}`,
      `POST /targets/${id}/runs`,
      `POST /targets/${id}/pause`,
      `POST /targets/${id}/resume`,
      `DELETE /targets/${id}?names=remove`,
    ]) {
      const { body } = await app.call('m2m', request, {
        ...(!request.startsWith('DELETE') && { body: {} }),
      })
      expect([request, body?.code]).toEqual([request, 'key_kind_forbidden'])
    }
    expect((await app.call('m2m', `GET /targets/${id}`)).status).toBe(200)
    expect((await app.call('b2m', 'GET /targets')).status).toBe(403)
    expect((await app.call('b2m', 'GET /target-providers')).status).toBe(403)
  })

  it('refuses what names nothing', async () => {
    const answers = [
      await create({ tiers: [] }),
      await create({ provider: 'nowhere' }),
      await create({ destination: {} }),
      await create({ destination: { repository: 'shop' } }),
      await create({ destination: { repository: 'acme/shop', region: 'eu' } }),
      await create({ token: 'x' }),
      await create({ provider: 'vercel', destination: { project: 'shop' } }),
    ]
    expect(answers.map(({ body }) => body.errors?.[0]?.pointer)).toEqual([
      '/tiers',
      '/provider',
      '/destination/repository',
      '/destination/repository',
      '/destination',
      '/token',
      '/token',
    ])
  })
})
