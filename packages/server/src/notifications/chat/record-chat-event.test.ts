import type {
  ChannelArchiveEvent,
  ChannelLeftEvent,
  ChannelRenameEvent,
  ChannelUnarchiveEvent,
  GroupLeftEvent,
  GroupUnarchiveEvent,
} from '@slack/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listIntegrationRows } from '../../integrations/rows.ts'
import { parseSlackEvent } from '../../providers/slack/webhook-events.ts'
import type { ChatEvent } from '../../providers/chat/chat.ts'
import { presentChat } from './present-chat.ts'
import { recordChatEvent } from './record-chat-event.ts'
import { refreshNotifications } from '../sending/refresh-notification.ts'
import { sendNotification } from '../sending/send-notification.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { openSlack, type SlackWorkspace } from '../testing/open-slack.ts'

let world: SlackWorkspace
let integrationId: string

beforeEach(async () => {
  world = await openSlack()
  await world.connect()
  await world.choose('general')
  integrationId = String((await world.integration())?.['id'])
})
afterEach(() => world.close())

const tell = (event: ChatEvent) =>
  recordChatEvent(
    { ...world.deps, egress: world.egress },
    { orgId: world.app.orgId, integrationId },
    event,
  )
const idOf = (channel: string) => world.sandbox.slack.channelId(channel)
type ChannelEvent =
  | ChannelArchiveEvent
  | ChannelLeftEvent
  | ChannelRenameEvent
  | ChannelUnarchiveEvent
  | GroupLeftEvent
  | GroupUnarchiveEvent

const at = { event_ts: '1795300000.000100' } as const
const user = 'U0ADA00001'
const read = (event: ChannelEvent) => parseSlackEvent(Buffer.from(JSON.stringify({ event })))
const renamed = (id: string, name: string) =>
  read({
    ...at,
    type: 'channel_rename',
    channel: { id, name, name_normalized: name, created: 1, is_channel: true, is_mpim: false },
  })
const addRoute = (channel: string) =>
  world.app.addRoute({ channel_id: idOf(channel), channel_name: channel })
const routeOf = async (id: string) =>
  (await world.app.test.asOwner('select * from notification_routes where id = $1', [id]))[0]

describe('an application that is gone', () => {
  it.each(['uninstalled', 'tokensRevoked'] as const)(
    '%s wants to be connected again, once the workspace says so itself',
    async (type) => {
      expect(await tell({ type })).toMatchObject({ outcome: 'ignored' })
      expect(await world.integration()).toMatchObject({ state: 'connected' })
      world.sandbox.slack.uninstall()
      expect(await tell({ type })).toEqual({ outcome: 'done' })
      expect(await world.integration()).toMatchObject({ state: 'reauth_required' })
      expect(world.emitted).toContain('integration.attention')
    },
  )

  it('is no matter for a connection that was made since', async () => {
    world.sandbox.slack.uninstall()
    await world.connect()
    expect(await tell({ type: 'uninstalled' })).toMatchObject({ outcome: 'ignored' })
    expect(await world.integration()).toMatchObject({ state: 'connected' })
  })

  it('is asked again later when the workspace does not answer', async () => {
    const fault = { kind: 'answer', status: 503 } as const
    world.sandbox.faults.add({ provider: 'slack', fault })
    await expect(tell({ type: 'uninstalled' })).rejects.toMatchObject({ failure: 'unavailable' })
  })
})

describe('an address at which a chat says that it is called', () => {
  const learnedUrl = async () => {
    const settings = (await world.integration())?.['settings']
    return typeof settings === 'object' && settings !== null && Reflect.get(settings, 'learnedUrl')
  }
  const url = 'https://eu.chat.example.com/teams'

  it('is kept beside the settings, and sends once what could not be sent', async () => {
    const { orgId, queued } = world.app
    const id = await world.app.addDeployment('failure')
    await refreshNotifications(world.deps, refreshOf(orgId, id))
    await world.app.test.asOwner(`update notifications set state = 'held'`)
    queued.splice(0)
    expect(await tell({ type: 'address', url })).toEqual({ outcome: 'done' })
    expect(await learnedUrl()).toBe(url)
    expect((await world.integration())?.['settings']).toMatchObject({
      defaultChannelName: 'general',
    })
    const sent = queued.splice(0)
    expect(sent.map(({ queue }) => queue)).toContain('notifications.send')
    expect(await tell({ type: 'address', url })).toEqual({ outcome: 'done' })
    expect(queued).toEqual([])
  })

  it.each(['http://169.254.169.254/', 'https://10.0.0.1/', 'https://user:pass@example.com/', 'x'])(
    'changes nothing where no call may go there: %s',
    async (forbidden) => {
      await tell({ type: 'address', url })
      expect(await tell({ type: 'address', url: forbidden })).toEqual({
        outcome: 'ignored',
        reason: 'Signalbox may not call the address it names.',
      })
      expect(await learnedUrl()).toBe(url)
    },
  )
})

describe('a channel', () => {
  it('that is renamed is shown by its name of now, whichever event comes last', async () => {
    const routeId = await addRoute('deployments')
    const [general, deployments] = [idOf('general'), idOf('deployments')]
    world.sandbox.slack.rename('deployments', 'ships')
    world.sandbox.slack.rename('general', 'all')
    await tell(renamed(deployments, 'ships'))
    await tell(renamed(deployments, 'an-older-name'))
    await tell(renamed(general, 'all'))
    expect(await routeOf(routeId)).toMatchObject({ channel_name: 'ships', health_state: 'ok' })
    expect((await world.integration())?.['settings']).toMatchObject({ defaultChannelName: 'all' })
  })

  it('that is archived breaks its routes, and sends what waited when it is there again', async () => {
    const routeId = await addRoute('deployments')
    const other = await addRoute('general')
    const { orgId, queued } = world.app
    world.sandbox.slack.archive('deployments')
    await tell(read({ ...at, type: 'channel_archive', channel: idOf('deployments'), user }))
    expect(await routeOf(routeId)).toMatchObject({
      health_state: 'broken',
      health_reason: 'is_archived',
    })
    expect(await routeOf(other)).toMatchObject({ health_state: 'ok' })
    const id = await world.app.addDeployment('failure')
    await refreshNotifications(world.deps, refreshOf(orgId, id))
    for (const job of queued.splice(0)) await sendNotification(world.deps, job)
    expect(await world.app.rowOf(id, 'deployment', routeId)).toMatchObject({ state: 'broken' })
    // The pretended Slack has no way to unarchive: a channel of the same id that is not archived.
    world.deps.chat.open = async () => {
      const chat = await world.openChat(orgId)
      const check = { name: 'deployments', refusedWith: null }
      return { ...chat, checkChannel: () => Promise.resolve(check) }
    }
    queued.splice(0)
    await tell(read({ ...at, type: 'channel_unarchive', channel: idOf('deployments'), user }))
    expect(await routeOf(routeId)).toMatchObject({ health_state: 'ok', health_reason: null })
    expect(queued.map(({ queue }) => queue)).toContain('notifications.send')
    expect(await world.app.rowOf(id, 'deployment', routeId)).toMatchObject({ state: 'wanted' })
  })

  it('that is the default one is shown as broken with what to do, and is well again when messages arrive', async () => {
    const { orgId, queued } = world.app
    const health = async () => {
      const { integrations } = world
      const rows = await world.app.test.store.transaction({ orgId }, (tx) =>
        listIntegrationRows(tx, orgId),
      )
      return presentChat(
        rows.find(({ kind }) => kind === 'chat'),
        integrations.connectorOf,
      ).defaultChannelHealth
    }
    const unused = {
      state: 'unused',
      code: null,
      reason: null,
      nextStep: null,
      lastDeliveredAt: null,
    }
    const lastDeliveredAt = expect.any(String)
    const well = { ...unused, state: 'ok', lastDeliveredAt }
    const deploy = async () => {
      const id = await world.app.addDeployment('failure')
      await refreshNotifications(world.deps, refreshOf(orgId, id))
      // One message a second gets into a channel.
      world.sandbox.clock.advance(5_000)
      for (const job of queued.splice(0)) await sendNotification(world.deps, job)
      return world.app.rowOf(id)
    }
    expect(await health()).toEqual(unused)
    const body = JSON.stringify({ ok: false, error: 'missing_scope' })
    const fault = { kind: 'answer', status: 200, body } as const
    world.sandbox.faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
    expect(await deploy()).toMatchObject({ state: 'broken' })
    expect(await health()).toMatchObject({
      state: 'broken',
      reason: 'The app lacks the permission to post there.',
      nextStep: expect.stringContaining('Connect'),
    })
    expect(await deploy()).toMatchObject({ state: 'live' })
    expect(await health()).toEqual(well)
    world.sandbox.slack.archive('general')
    await tell(read({ ...at, type: 'channel_archive', channel: idOf('general'), user }))
    expect(await health()).toEqual({
      state: 'broken',
      code: 'is_archived',
      reason: 'The channel is archived.',
      nextStep: 'Unarchive it, or choose another one.',
      lastDeliveredAt,
    })
    // Another one is another matter.
    await world.choose('deployments')
    expect(await health()).toEqual(unused)
  })

  it('that is private and that we were put out of is broken, until we are let in', async () => {
    world.sandbox.slack.invite('releases')
    const routeId = await addRoute('releases')
    world.sandbox.slack.kick('releases')
    await tell(read({ ...at, type: 'group_left', channel: idOf('releases'), actor_id: user }))
    expect(await routeOf(routeId)).toMatchObject({ health_reason: 'channel_not_found' })
    world.sandbox.slack.invite('releases')
    await tell(read({ ...at, type: 'group_unarchive', channel: idOf('releases'), actor_id: user }))
    expect(await routeOf(routeId)).toMatchObject({ health_state: 'ok' })
  })

  it('that is public and that we left still takes messages, where that was granted', async () => {
    const routeId = await addRoute('deployments')
    await tell(read({ ...at, type: 'channel_left', channel: idOf('deployments'), actor_id: user }))
    expect(await routeOf(routeId)).toMatchObject({ health_state: 'ok' })
  })

  it('that is none of ours is not asked for', async () => {
    const before = world.sandbox.log.list().length
    const event = read({ ...at, type: 'channel_archive', channel: idOf('old'), user })
    expect(await tell(event)).toMatchObject({ outcome: 'ignored' })
    expect(world.sandbox.log.list()).toHaveLength(before)
  })
})
