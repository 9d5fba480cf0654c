import { Problem } from '@signalbox/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { getDeployment } from '../../read-models/deployments/get-deployment.ts'
import { presentDetail } from '../../read-models/deployments/present-deployment.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { mountChat } from './chat-routes.ts'
import { mountNotifications } from '../routes.ts'
import { refreshNotifications } from '../sending/refresh-notification.ts'
import { sendNotification } from '../sending/send-notification.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { openSlack, type SlackWorkspace } from '../testing/open-slack.ts'
import { toTestApp } from '../../http/testing/test-app.ts'

let world: SlackWorkspace
let call: (request: string, body?: unknown) => Promise<{ status: number; body: any }> // oxlint-disable-line typescript/no-explicit-any -- tests look into answers of every shape

const person: Actor = {
  type: 'user',
  userId: newId('usr', new Date()),
  name: 'ada',
  email: 'ada@example.com',
  via: 'token',
  credentialId: 'pat_ada',
}

beforeEach(async () => {
  world = await openSlack()
  const { orgId } = world.app
  const router = createTestRouter({
    authenticate: ({ authorization }) => {
      if (authorization === 'Bearer ada') return Promise.resolve(person)
      throw new Problem('invalid_credentials', 'Nobody is called so.')
    },
    resolveOrganization: () =>
      Promise.resolve({ organization: { id: orgId, slug: 'acme', name: 'Acme' }, role: 'admin' }),
  })
  mountChat(router, { ...world.deps, connectorOf: world.integrations.connectorOf })
  mountNotifications(router, { ...world.deps, listNewestDeployments: () => Promise.resolve([]) })
  const server = toTestApp(router.build())
  call = async (request, body) => {
    const [method = 'GET', path = ''] = request.split(' ')
    const answer = await server.request(`/organizations/${orgId}/integrations/chat${path}`, {
      method,
      headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
})
afterEach(() => world.close())

const choose = (channel: string) =>
  call('PATCH ', { defaultChannelId: world.sandbox.slack.channelId(channel) })
const asked = (method: string) =>
  world.sandbox.log.list().filter(({ path }) => path.includes(method)).length

describe('the chat', () => {
  it('that is not connected says so, and is not asked', async () => {
    expect((await call('GET ')).body).toMatchObject({
      state: 'not_connected',
      workspace: null,
      defaultChannelId: null,
    })
    expect((await call('GET /channels')).body.code).toBe('integration_not_connected')
    expect((await choose('deployments')).body.code).toBe('integration_not_connected')
  })

  it('tells its workspace, and the channel that was chosen by its name at the provider', async () => {
    await world.connect()
    const { status, body } = await choose('deployments')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'connected',
      workspace: { id: 'T0ACME0001', name: 'Acme' },
      defaultChannelId: 'C0DEPLOYS1',
      defaultChannelName: 'deployments',
      defaultChannelHealth: {
        state: 'unused',
        reason: null,
        nextStep: null,
        lastDeliveredAt: null,
      },
    })
    const { health: _changing, ...shown } = body
    expect((await call('GET ')).body).toMatchObject(shown)
    expect(asked('conversations.join') + asked('chat.postMessage')).toBe(0)
    const events = await world.app.test.asOwner(
      `select action, detail from audit_events where action = 'integration.updated'`,
    )
    expect(events).toEqual([
      { action: 'integration.updated', detail: { defaultChannelId: 'C0DEPLOYS1' } },
    ])
    expect(await world.integration()).toMatchObject({ revision: 2 })
  })

  it('refuses a channel that is archived, private without us, or none, and keeps what was chosen', async () => {
    await world.connect()
    await choose('deployments')
    for (const channel of ['old', 'releases']) {
      const { status, body } = await choose(channel)
      const place = { pointer: '/defaultChannelId', code: 'channel_unreachable' }
      expect(status).toBe(422)
      expect(body).toMatchObject({ code: 'validation_failed', errors: [place] })
    }
    const none = await call('PATCH ', { defaultChannelId: 'C0NOWHERE1' })
    expect(none.body.detail).toContain('/invite @Signalbox')
    expect((await call('GET ')).body.defaultChannelId).toBe('C0DEPLOYS1')
    world.sandbox.slack.invite('releases')
    expect((await choose('releases')).status).toBe(200)
  })

  it('says of a channel that would refuse a message that it does not get there, before the first one', async () => {
    const health = { state: 'broken', nextStep: expect.stringContaining('/invite') }
    await world.connect(['chat:write', 'channels:read'])
    expect((await choose('general')).body.defaultChannelHealth).toMatchObject(health)
    expect((await call('GET ')).body.defaultChannelHealth).toMatchObject(health)
    world.sandbox.slack.invite('general')
    expect((await choose('general')).body.defaultChannelHealth).toMatchObject({ state: 'unused' })
  })

  it('sends what waited once a channel is chosen', async () => {
    await world.connect()
    const { orgId } = world.app
    const id = await world.app.addDeployment('failure')
    await refreshNotifications(world.deps, refreshOf(orgId, id))
    expect(await world.app.rowOf(id)).toMatchObject({ state: 'held', reason: 'no_channel' })
    world.app.queued.splice(0)
    await choose('deployments')
    for (const job of world.app.queued.splice(0)) await sendNotification(world.deps, job)
    expect(world.sandbox.slack.messages('deployments')).toHaveLength(1)
  })

  it('tells with a deployment in which channel its message stands, and where it is read', async () => {
    await world.connect()
    await choose('deployments')
    const { orgId, queued } = world.app
    const detail = async (id: string) => {
      const caller = { orgId, scope: { orgId }, environmentIds: null }
      return presentDetail(await getDeployment(world.app.deps, caller, id))
    }
    const messages = async (id: string) => (await detail(id)).messages
    const deploy = async () => {
      const id = await world.app.addDeployment('failure')
      await refreshNotifications(world.deps, refreshOf(orgId, id))
      const waiting = await messages(id)
      // One message a second gets into a channel.
      world.sandbox.clock.advance(5_000)
      for (const job of queued.splice(0)) await sendNotification(world.deps, job)
      return { id, waiting }
    }
    const { id, waiting } = await deploy()
    const of = { routeId: '', channelName: 'deployments', reason: null }
    expect(waiting).toMatchObject([{ ...of, state: 'wanted', url: null }])
    const [live] = await messages(id)
    expect(live).toMatchObject({ ...of, state: 'live', url: expect.stringMatching(/^http:/) })
    const [message] = world.sandbox.slack.messages('deployments')
    expect(live?.url).toContain(message?.ts.replace('.', ''))
    const fault = { kind: 'answer', status: 500 } as const
    world.sandbox.faults.add({ provider: 'slack', request: 'GET /chat.getPermalink', fault })
    expect(await messages((await deploy()).id)).toMatchObject([{ ...of, state: 'live', url: null }])
    await choose('general')
    expect(await messages(id)).toMatchObject([{ channelName: null, url: live?.url }])
    const titles = async () => (await detail(id)).timeline.map(({ title }) => title)
    expect(await titles()).toContain('Message to an earlier channel: sent')
    await choose('deployments')
    await world.app.test.asOwner(`update integrations set state = 'disconnected'`)
    expect(await messages(id)).toMatchObject([{ channelName: 'deployments', url: live?.url }])
    expect(await titles()).toContain('Message to #deployments: sent')
  })

  it('that takes our access no more wants to be connected again', async () => {
    await world.connect()
    world.sandbox.slack.uninstall()
    expect((await call('GET /channels')).body.code).toBe('reauth_required')
    expect((await call('GET ')).body).toMatchObject({ state: 'reauth_required' })
    expect(world.emitted).toContain('integration.attention')
    const before = world.sandbox.log.list().length
    expect((await choose('deployments')).body.code).toBe('reauth_required')
    expect(world.sandbox.log.list()).toHaveLength(before)
  })

  it('delivers once a test has arrived, no more after a failed one, and not without access', async () => {
    const { sandbox, app, deps } = world
    const health = async () => (await call('GET ')).body.defaultChannelHealth
    await world.connect()
    await choose('deployments')
    const sendTest = () => call('POST /test')
    expect((await sendTest()).status).toBe(200)
    const lastDeliveredAt = expect.any(String)
    const delivering = { state: 'ok', code: null, reason: null, nextStep: null, lastDeliveredAt }
    expect(await health()).toEqual(delivering)

    sandbox.slack.refuse('deployments', 'restricted_action')
    expect((await sendTest()).body.code).toBe('channel_unreachable')
    expect(await health()).toMatchObject({ state: 'broken', lastDeliveredAt })
    sandbox.slack.refuse('deployments', undefined)
    sandbox.clock.advance(5_000)
    const id = await app.addDeployment('failure')
    await refreshNotifications(deps, refreshOf(app.orgId, id))
    for (const job of app.queued.splice(0)) await sendNotification(deps, job)
    expect(await health()).toMatchObject({ state: 'ok', reason: null })

    sandbox.slack.uninstall()
    expect((await sendTest()).body.code).toBe('reauth_required')
    const revoked = await health()
    expect(revoked).toMatchObject({ state: 'broken', nextStep: 'Connect Slack again.' })
    expect(revoked.reason).toContain('Slack revoked access')
    // A rejection of the whole connection says nothing about the channel of the next one.
    await world.connect()
    expect(await health()).toMatchObject({ state: 'ok', reason: null })
  })

  it.each([
    ['is away', { kind: 'answer', status: 503 }],
    ['fails', { kind: 'answer', status: 500 }],
    ['loses its answer', { kind: 'cut' }],
    [
      'asks for a pause',
      {
        kind: 'answer',
        status: 429,
        headers: { 'retry-after': '5' },
        body: '{"ok":false,"error":"ratelimited"}',
      },
    ],
  ] as const)('keeps its channel as it was when Slack %s during a test', async (_, fault) => {
    await world.connect()
    await choose('deployments')
    world.sandbox.faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
    const { body } = await call('POST /test')
    expect(body).toMatchObject({
      code: 'provider_error',
      detail: expect.stringContaining('Try again later.'),
    })
    expect((await call('GET ')).body.defaultChannelHealth).toMatchObject({ state: 'unused' })
  })
})

describe('the list of channels', () => {
  const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name)

  it('has the public ones and the private ones that we are in, none archived', async () => {
    await world.connect()
    const { body } = await call('GET /channels')
    expect(names(body)).toEqual(['general', 'deployments'])
    expect(body.items[0]).toMatchObject({ isMember: false, obstacle: null })
    expect(body).toMatchObject({ complete: true, nextCursor: null })
    expect(body.hint).toContain('/invite @Signalbox')
    world.sandbox.slack.invite('releases')
    const again = (await call('GET /channels')).body
    expect(again.items[2]).toMatchObject({ name: 'releases', isPrivate: true, isMember: true })
  })

  it('finds by part of a name, and says of an archived one that it is', async () => {
    await world.connect()
    expect(names((await call('GET /channels?query=DEPLOY')).body)).toEqual(['deployments'])
    const { body } = await call('GET /channels?query=%23old')
    expect(body.items).toMatchObject([{ name: 'old', isArchived: true }])
  })

  it('is not complete without groups:read, and says what to do', async () => {
    await world.connect(['chat:write', 'channels:read'])
    world.sandbox.slack.invite('releases')
    const { body } = await call('GET /channels')
    expect(names(body)).toEqual(['general', 'deployments'])
    expect(body.complete).toBe(false)
    expect(body.hint).toContain('groups:read was not granted')
  })

  it('goes on where it stopped, has each channel once, and asks Slack four times at most', async () => {
    await world.connect()
    for (let count = 0; count < 2_600; count += 1) {
      world.sandbox.slack.addChannel({ name: `team-${count}` })
    }
    const seen: string[] = []
    let cursor: string | null = ''
    const calls: number[] = []
    while (cursor !== null && calls.length < 50) {
      const before = asked('conversations.list')
      const after = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await call(`GET /channels?limit=100&query=team-2${after}`)
      calls.push(asked('conversations.list') - before)
      seen.push(...names(body))
      expect(body.complete).toBe(body.nextCursor === null)
      cursor = body.nextCursor
    }
    expect(Math.max(...calls)).toBeLessThanOrEqual(4)
    const wanted = Array.from({ length: 2_600 }, (_, index) => `team-${index}`)
    expect(seen).toEqual(wanted.filter((name) => name.includes('team-2')))
  })

  it('takes a cursor of its own making only', async () => {
    await world.connect()
    expect((await call('GET /channels?cursor=e30.x')).body.code).toBe('invalid_cursor')
  })
})
