import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { startEventReceiver, type EventReceiver } from './testing/event-receiver.ts'
import { connect } from './testing/slack-client.ts'

const sandbox = await openSandbox()
let receiver: EventReceiver
beforeEach(async () => {
  receiver = await startEventReceiver()
  await sandbox.slack.setEventsUrl(receiver.url)
  receiver.received.length = 0
})
afterEach(async () => {
  await receiver.close()
})

/** Sorted by type and user: events overtake each other. */
const events = () =>
  receiver.received
    .map(({ body }) => body['event'] as { readonly type: string; readonly user?: string })
    .toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)))
const keyOf = ({ type, user = '' }: { readonly type: string; readonly user?: string }) =>
  `${type} ${user}`
const retries = () => receiver.received.map(({ headers }) => headers['x-slack-retry-num'])

describe('the address for events', () => {
  it('is taken once it has answered the challenge', async () => {
    await sandbox.slack.setEventsUrl(receiver.url)
    expect(receiver.received[0]?.body).toEqual({
      type: 'url_verification',
      token: sandbox.slack.app.verificationToken,
      challenge: expect.any(String),
    })
    expect(sandbox.slack.app.eventsUrl).toBe(receiver.url)
  })

  it('is refused when the challenge does not come back', async () => {
    receiver.answersChallenge = false
    await expect(sandbox.slack.setEventsUrl(receiver.url)).rejects.toThrow('challenge')
    expect(sandbox.slack.app.eventsUrl).toBeUndefined()
  })

  it.each([
    'http://192.0.2.1/events',
    'http://acme.example/events',
    'http://127.0.0.1.acme.example/',
  ])('is refused when it is not of this machine: %s', async (url) => {
    await expect(sandbox.slack.setEventsUrl(url)).rejects.toThrow('this machine')
  })
})

describe('an event', () => {
  it('comes in its envelope and is signed over the time and the raw body', async () => {
    await connect(sandbox)
    sandbox.slack.rename('deployments', 'ships')
    await expect.poll(() => receiver.received).toHaveLength(1)
    const { headers, raw, body } = receiver.received[0] ?? { headers: {}, raw: '', body: {} }
    const { signingSecret, verificationToken } = sandbox.slack.app
    const timestamp = String(headers['x-slack-request-timestamp'])
    const mac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${raw}`)
    expect(headers['x-slack-signature']).toBe(`v0=${mac.digest('hex')}`)
    expect(headers).not.toHaveProperty('x-slack-retry-num')
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    expect(body).toMatchObject({
      type: 'event_callback',
      token: verificationToken,
      team_id: 'T0ACME0001',
      api_app_id: 'A0SIGNALBX',
      event_id: expect.stringMatching(/^Ev/),
      event_time: expect.any(Number),
      event: {
        type: 'channel_rename',
        channel: { id: sandbox.slack.channelId('ships'), name: 'ships' },
      },
    })
  })

  it('is sent again at once, after a minute and after five, with the number and the reason', async () => {
    await connect(sandbox)
    receiver.answers.push(...[500, 500, 500, 500].map((status) => ({ status })))
    sandbox.slack.archive('deployments')
    await expect.poll(retries).toEqual([undefined, '1'])
    sandbox.clock.advance(60_000)
    await expect.poll(retries).toEqual([undefined, '1', '2'])
    sandbox.clock.advance(300_000)
    await expect.poll(retries).toEqual([undefined, '1', '2', '3'])
    const ids = receiver.received.map(({ body }) => body['event_id'])
    expect(new Set(ids).size).toBe(1)
    expect(receiver.received[3]?.headers['x-slack-retry-reason']).toBe('http_error')
  })

  it('is given up after the third retry, and not sent again once it has arrived', async () => {
    await connect(sandbox)
    receiver.answers.push(...[500, 500, 500, 500].map((status) => ({ status })))
    sandbox.slack.archive('general')
    for (const count of [2, 3, 4]) {
      await expect.poll(retries).toHaveLength(count)
      sandbox.clock.advance(300_000)
    }
    sandbox.slack.rename('deployments', 'ships')
    await expect.poll(retries).toHaveLength(5)
    sandbox.clock.advance(300_000)
    sandbox.slack.rename('ships', 'deployments')
    await expect.poll(retries).toEqual([undefined, '1', '2', '3', undefined, undefined])
  })

  it('is not sent again to whoever asks for no retry', async () => {
    await connect(sandbox)
    receiver.answers.push({ status: 500, headers: { 'x-slack-no-retry': '1' } })
    sandbox.slack.archive('general')
    await expect.poll(retries).toHaveLength(1)
    sandbox.slack.rename('deployments', 'ships')
    await expect.poll(retries).toEqual([undefined, undefined])
  })

  it('is sent again after the connection failed', async () => {
    await connect(sandbox)
    receiver.answers.push({ status: 0 })
    sandbox.slack.archive('general')
    await expect.poll(retries).toEqual([undefined, '1'])
    expect(receiver.received[1]?.headers['x-slack-retry-reason']).toBe('connection_failed')
  })

  it('that has not arrived is forgotten by a reset', async () => {
    await connect(sandbox)
    receiver.answers.push({ status: 500 }, { status: 500 })
    sandbox.slack.archive('general')
    await expect.poll(retries).toEqual([undefined, '1'])
    sandbox.reset()
    sandbox.clock.advance(60_000)
    await connect(sandbox)
    sandbox.slack.rename('deployments', 'ships')
    await expect.poll(retries).toEqual([undefined, '1', undefined])
  })
})

describe('the app is told', () => {
  it('of its removal, and of the tokens that end with it', async () => {
    await connect(sandbox)
    sandbox.slack.uninstall()
    await expect
      .poll(events)
      .toEqual([
        { type: 'app_uninstalled' },
        { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0SIGNALBX'] } },
      ])
  })

  it('of a token that was revoked', async () => {
    const { call } = await connect(sandbox)
    await call('auth.revoke')
    await expect
      .poll(events)
      .toEqual([{ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0SIGNALBX'] } }])
  })

  it('that it joined a channel and was removed from it, and that a person left one', async () => {
    await connect(sandbox)
    const channel = sandbox.slack.channelId('general')
    sandbox.slack.invite('general')
    sandbox.slack.kick('general')
    sandbox.slack.kick('general', 'grace')
    await expect.poll(events).toMatchObject([
      { type: 'channel_left', channel },
      { type: 'member_joined_channel', user: 'U0SIGNALBX', channel, channel_type: 'C' },
      { type: 'member_left_channel', user: 'U0GRACE001', channel },
      { type: 'member_left_channel', user: 'U0SIGNALBX', channel },
    ])
  })

  it('of private channels that it is in, by names of their own', async () => {
    await connect(sandbox)
    sandbox.slack.rename('releases', 'hidden')
    sandbox.slack.invite('hidden')
    sandbox.slack.rename('hidden', 'releases')
    sandbox.slack.archive('releases')
    sandbox.slack.kick('releases')
    await expect
      .poll(events)
      .toMatchObject([
        { type: 'group_archive' },
        { type: 'group_left' },
        { type: 'group_rename', channel: { name: 'releases' } },
        { type: 'member_joined_channel', channel_type: 'G' },
        { type: 'member_left_channel', channel_type: 'G' },
      ])
  })

  it('nothing of channels without the scope that reads them', async () => {
    const { call } = await connect(sandbox, ['chat:write'])
    sandbox.slack.rename('deployments', 'ships')
    sandbox.slack.archive('ships')
    await call('auth.revoke')
    await expect.poll(events).toMatchObject([{ type: 'tokens_revoked' }])
  })
})
