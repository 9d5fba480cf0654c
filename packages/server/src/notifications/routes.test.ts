import { Problem } from '@signalbox/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import type { Actor } from '../http/admission/actor.ts'
import { createTestRouter } from '../http/testing/test-router.ts'
import { mountNotifications, type NotificationRouteDeps } from './routes.ts'
import { rejection } from './testing/fake-chat.ts'
import { openNotifications, type Notifications } from './testing/open-notifications.ts'
import { toTestApp } from '../http/testing/test-app.ts'

let app: Notifications
let call: (request: string, body?: unknown, as?: string) => Promise<{ status: number; body: any }> // oxlint-disable-line typescript/no-explicit-any -- tests look into answers of every shape
let past: Awaited<ReturnType<NotificationRouteDeps['listNewestDeployments']>>

const person: Actor = {
  type: 'user',
  userId: newId('usr', new Date()),
  name: 'ada',
  email: 'ada@example.com',
  via: 'token',
  credentialId: 'pat_ada',
}

beforeEach(async () => {
  app = await openNotifications()
  past = []
  const keyId = newId('key', new Date())
  const key: Actor = {
    type: 'api_key',
    orgId: app.orgId,
    keyId,
    kind: 'm2m',
    access: 'write',
    name: 'ci',
    schemaIds: null,
    environmentIds: [app.environmentId],
    credentialId: keyId,
  }
  const router = createTestRouter({
    authenticate: ({ authorization }) => {
      if (authorization === 'Bearer ada') return Promise.resolve(person)
      if (authorization === 'Bearer ci') return Promise.resolve(key)
      throw new Problem('invalid_credentials', 'Nobody is called so.')
    },
    resolveOrganization: () =>
      Promise.resolve({
        organization: { id: app.orgId, slug: 'acme', name: 'Acme' },
        role: 'developer',
      }),
  })
  mountNotifications(router, {
    ...app.deps,
    listNewestDeployments: () => Promise.resolve(past),
  })
  const server = toTestApp(router.build())
  call = async (request, body, as = 'ada') => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const answer = await server.request(`/organizations/${app.orgId}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
})
afterEach(() => app.close())

const route = { name: 'releases', channelId: 'C2', match: {}, events: ['deployment'] }

describe('a notification route', () => {
  it('is created with the name of its channel, listed, changed and deleted, each in the audit log', async () => {
    const { status, body } = await call('POST /notification-routes', route)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      channelName: 'deploys',
      match: { environmentIds: null, repositories: null, branches: null, states: 'always' },
      health: { state: 'broken', lastDeliveredAt: null },
    })
    const path = `/notification-routes/${body.id}`
    expect((await call(`PATCH ${path}`, { name: 'all' })).body).toMatchObject({ name: 'all' })
    expect((await call('GET /notification-routes')).body.items).toMatchObject([{ name: 'all' }])
    expect((await call(`DELETE ${path}`)).status).toBe(204)
    expect((await call(`PATCH ${path}`, { name: 'x' })).body.code).toBe('not_found')
    const events = await app.test.asOwner('select action from audit_events order by sequence')
    expect(events.map(({ action }) => action)).toEqual([
      'notification_route.created',
      'notification_route.updated',
      'notification_route.deleted',
    ])
  })

  it('is changed by itself as it was read without a change, and not by another one', async () => {
    const match = {
      environmentIds: [app.environmentId],
      repositories: ['acme/*'],
      branches: ['main'],
      states: 'changes',
    }
    await call('POST /notification-routes', { ...route, match, broadcastFailures: true })
    const { id } = (await call('POST /notification-routes', { ...route, name: 'other' })).body
    for (const read of (await call('GET /notification-routes')).body.items) {
      const path = `/notification-routes/${read.id}`
      expect((await call(`PATCH ${path}`, read)).body).toEqual(read)
      const edited = { ...read, name: `${read.name}, edited` }
      expect((await call(`PATCH ${path}`, edited)).body).toEqual(edited)
      if (read.id === id) continue
      expect((await call(`PATCH /notification-routes/${id}`, read)).body).toMatchObject({
        status: 422,
        errors: [{ pointer: '/id' }],
      })
      const unknown = await call(`PATCH ${path}`, { ...read, colour: 'red' })
      expect(unknown.body.code).toBe('unknown_field')
    }
  })

  it('needs a workspace, and a channel that is there and not archived', async () => {
    const { id } = (await call('POST /notification-routes', route)).body
    const give = async (channelId: string) => [
      await call('POST /notification-routes', { ...route, channelId }),
      await call(`PATCH /notification-routes/${id}`, { channelId }),
    ]
    for (const channelId of ['C0', 'X1']) {
      for (const { body } of await give(channelId)) {
        expect(body).toMatchObject({
          status: 422,
          code: 'validation_failed',
          errors: [{ pointer: '/channelId', code: 'channel_unreachable' }],
        })
      }
    }
    app.connection = undefined
    for (const { body } of await give('C3')) expect(body.code).toBe('integration_not_connected')
    // The channel that the route has is not tried again, so what was read can be sent back.
    const { channelId } = route
    const same = await call(`PATCH /notification-routes/${id}`, { channelId })
    expect(same.body).toMatchObject({ id, channelId })
  })

  it('to a channel that would refuse a message says so before the first one', async () => {
    const stored = async () =>
      (await app.test.asOwner('select health_state, health_reason from notification_routes'))[0]
    app.chat.checkChannel = () =>
      Promise.resolve({ name: 'deploys', refusedWith: 'not_in_channel' })
    const created = await call('POST /notification-routes', route)
    expect(await stored()).toEqual({ health_state: 'broken', health_reason: 'not_in_channel' })
    app.chat.checkChannel = () => Promise.resolve({ name: 'deploys', refusedWith: null })
    // The same channel once more, after somebody has mended it there.
    await call(`PATCH /notification-routes/${created.body.id}`, { channelId: route.channelId })
    expect(await stored()).toEqual({ health_state: 'ok', health_reason: null })
  })

  it('names environments of its organization only', async () => {
    const { id } = (await call('POST /notification-routes', route)).body
    const match = { environmentIds: [app.environmentId, newId('env', new Date())] }
    for (const request of ['POST /preview', `PATCH /${id}`, 'POST ']) {
      const body = request.startsWith('PATCH') || request.endsWith('preview') ? {} : route
      const answer = await call(request.replace(' ', ' /notification-routes'), { ...body, match })
      expect(answer.body).toMatchObject({
        status: 422,
        errors: [{ pointer: '/match/environmentIds/1', code: 'validation_failed' }],
      })
    }
    expect((await call('GET /notification-routes')).body.items).toMatchObject([
      { match: { environmentIds: null } },
    ])
  })

  it('that is broken says why and what to do, in the words of the chat', async () => {
    await app.test.asOwner(
      `insert into integrations (org_id, id, kind, provider, state)
       values ($1, 'int_1', 'chat', 'slack', 'connected')`,
      [app.orgId],
    )
    await app.addRoute({ health_state: 'broken', health_reason: 'is_archived' })
    const { body } = await call('GET /notification-routes')
    expect(body.items[0].health).toEqual({
      state: 'broken',
      code: 'is_archived',
      reason: 'The channel is archived.',
      nextStep: 'Unarchive it, or choose another one.',
      lastDeliveredAt: null,
    })
  })

  it('delivers once a message has arrived, and neither before nor without the chat', async () => {
    const connected = async (columns: string) => {
      await app.test.asOwner('delete from integrations')
      await app.test.asOwner(
        `insert into integrations (org_id, id, kind, provider, state, last_error)
         values ($1, 'int_1', 'chat', 'slack', ${columns})`,
        [app.orgId],
      )
    }
    const health = async () =>
      (await call('GET /notification-routes')).body.items.map(
        (item: { health: object }) => item.health,
      )
    const unused = {
      state: 'unused',
      code: null,
      reason: null,
      nextStep: null,
      lastDeliveredAt: null,
    }
    await connected(`'connected', null`)
    const { body } = await call('POST /notification-routes', route)
    expect(body.health).toEqual(unused)
    await app.test.asOwner(
      `update notification_routes set last_delivered_at = '2026-01-02T03:04:05Z'`,
    )
    const lastDeliveredAt = '2026-01-02T03:04:05.000Z'
    expect(await health()).toEqual([{ ...unused, state: 'ok', lastDeliveredAt }])

    const lastError = JSON.stringify({
      code: 'account_inactive',
      detail: 'Slack revoked access.',
      nextStep: 'Connect it again.',
      at: lastDeliveredAt,
    })
    await connected(`'reauth_required', '${lastError}'`)
    expect(await health()).toEqual([
      {
        state: 'broken',
        code: null,
        reason: 'Slack revoked access.',
        nextStep: 'Connect Slack again.',
        lastDeliveredAt,
      },
    ])
    await connected(`'disconnected', null`)
    expect(await health()).toMatchObject([
      { state: 'broken', code: null, reason: 'No chat is connected.', nextStep: 'Connect a chat.' },
    ])
    await connected(`'connected', null`)
    const path = `/notification-routes/${body.id}`
    expect((await call(`PATCH ${path}`, { channelId: 'C2' })).body.health).toMatchObject({
      state: 'ok',
    })
    expect((await call(`PATCH ${path}`, { channelId: 'C3' })).body.health).toEqual(unused)
  })

  it('is nothing for a key of some environments', async () => {
    const { body } = await call('POST /notification-routes', route, 'ci')
    expect(body.code).toBe('key_scope_forbidden')
  })

  it('is tried on past deployments before it exists', async () => {
    const { body } = await call('POST /notification-routes/preview', {
      match: { states: 'failures' },
    })
    expect(body).toEqual({ matched: [], looked: 0 })
  })
})

describe('the test message', () => {
  it('arrives in the default channel', async () => {
    const { status, body } = await call('POST /integrations/chat/test')
    expect(status).toBe(200)
    expect(body).toMatchObject({ channelId: 'C1', messageId: '1' })
    expect(app.chat.messages[0]?.message.text).toContain('Acme')
  })

  it('says what is wrong and what to do when it does not', async () => {
    app.chat.fault = () => {
      throw rejection('channel_not_found')
    }
    const { status, body } = await call('POST /integrations/chat/test')
    expect([status, body.code]).toEqual([424, 'channel_unreachable'])
    expect(body.detail).toContain('/invite @Signalbox')
  })
})

describe('sending a message again', () => {
  const again = (id: string, as = 'ada') =>
    call(`POST /notifications/${id}/send-again`, undefined, as)
  const settle = (id: string, isThere: boolean, as = 'ada') =>
    call(`POST /notifications/${id}/settle`, { isThere }, as)
  const add = async (columns: object) => {
    const deployed = await app.addDeployment('success')
    const id = newId('ntf', new Date())
    const row = {
      org_id: app.orgId,
      id,
      subject_kind: 'deployment',
      subject_id: deployed,
      state: 'broken',
      reason: 'not_in_channel',
      channel_id: 'C1',
      failures: 3,
      ...columns,
    }
    const names = Object.keys(row)
    await app.test.asOwner(
      `insert into notifications (${names.join()}) values (${names.map((_, at) => `$${at + 1}`).join()})`,
      Object.values(row),
    )
    return id
  }

  it('puts one that waits for a person back on its way, once, with a note in the audit log', async () => {
    const id = await add({})
    const { status, body } = await again(id)
    expect(status).toBe(202)
    expect(body).toMatchObject({ id, state: 'wanted', reason: null, canSendAgain: false })
    expect(app.queued).toMatchObject([{ queue: 'notifications.send', id }])
    expect(await again(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const events = await app.test.asOwner('select action, target, actor from audit_events')
    expect(events).toMatchObject([
      { action: 'notification.sent_again', target: { id }, actor: { name: 'ada' } },
    ])
  })

  it.each([
    [true, { state: 'live', reason: 'seen_in_channel', nextStep: null }, 'notification.seen', 0],
    [false, { state: 'wanted', reason: null, detail: null }, 'notification.sent_again', 1],
  ] as const)(
    'of which nobody knows whether it arrived is settled by a person who has looked, once: there %s',
    async (isThere, shown, action, jobs) => {
      const id = await add({
        reason: 'outcome_unknown',
        ambiguous: true,
        first_tried_at: new Date(0),
      })
      const { status, body } = await settle(id, isThere)
      expect([status, body]).toMatchObject([202, { id, canSendAgain: false, ...shown }])
      expect(app.queued).toHaveLength(jobs)
      expect(await settle(id, isThere)).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(await app.test.asOwner('select action from audit_events')).toEqual([{ action }])
    },
  )

  it('is refused where it could arrive twice, where nothing is connected, and to a key of some environments', async () => {
    const unknown = await add({ reason: 'outcome_unknown' })
    expect(await again(unknown)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await settle(unknown, false, 'ci')).toMatchObject({
      body: { code: 'key_scope_forbidden' },
    })
    const waiting = await add({ state: 'held' })
    expect((await again(waiting, 'ci')).body.code).toBe('key_scope_forbidden')
    app.connection = undefined
    expect((await again(waiting)).body.code).toBe('integration_not_connected')
    expect((await settle(unknown, false)).body.code).toBe('integration_not_connected')
    expect((await settle(newId('ntf', new Date()), true)).body.code).toBe('not_found')
    expect((await again(newId('ntf', new Date()))).body.code).toBe('not_found')
    expect(app.queued).toEqual([])
  })
})
