import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect } from '../testing/slack-client.ts'

const sandbox = await openSandbox()

const section = { type: 'section', text: { type: 'mrkdwn', text: '*Deployed*' } }
const metadata = { event_type: 'deployment', event_payload: { id: 'dep_1' } }
const id = (channel: string) => sandbox.slack.channelId(channel)

describe('chat.postMessage', () => {
  it('posts to a channel by its id, and answers the message', async () => {
    const { call } = await connect(sandbox)
    const channel = id('deployments')
    const answer = await call('chat.postMessage', {
      channel,
      text: 'Deployed',
      blocks: [section],
      metadata,
      unfurl_links: false,
    })
    expect(answer).toEqual({
      ok: true,
      channel,
      ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
      message: expect.objectContaining({
        type: 'message',
        user: 'U0SIGNALBX',
        bot_id: 'B0SIGNALBX',
        app_id: 'A0SIGNALBX',
        team: 'T0ACME0001',
        ts: answer['ts'],
        text: 'Deployed',
        blocks: [{ ...section, block_id: 'b0' }],
        metadata,
      }),
    })
    expect(sandbox.slack.messages('deployments')).toMatchObject([
      {
        ts: answer['ts'],
        author: 'signalbox',
        text: 'Deployed',
        blocks: [section],
        metadata,
        editCount: 0,
      },
    ])
  })

  it('finds a channel by its name as well', async () => {
    const { call } = await connect(sandbox)
    for (const channel of ['deployments', '#deployments']) {
      expect(await call('chat.postMessage', { channel, text: 'Hello' })).toMatchObject({
        ok: true,
        channel: id('deployments'),
      })
    }
  })

  it('gives every message a later ts, also when no time passes', () => {
    const all = Array.from({ length: 5 }, () => sandbox.slack.say('general', 'ada', 'Hello'))
    expect(all).toEqual([...new Set(all)].toSorted())
    expect(sandbox.slack.messages('general')).toHaveLength(5)
  })

  it('answers in a thread, and in the channel too when that is asked for', async () => {
    const { call } = await connect(sandbox)
    const channel = id('general')
    const { ts } = await call('chat.postMessage', { channel, text: 'Deployed' })
    const reply = await call('chat.postMessage', {
      channel,
      text: 'Failed',
      thread_ts: ts,
      reply_broadcast: true,
    })
    expect(reply).toMatchObject({ message: { thread_ts: ts, subtype: 'thread_broadcast' } })
    await call('chat.postMessage', { channel, text: 'Details', thread_ts: reply['ts'] })
    expect(sandbox.slack.messages('general')).toMatchObject([
      {
        text: 'Deployed',
        thread: [
          { text: 'Failed', broadcast: true },
          { text: 'Details', broadcast: false },
        ],
      },
    ])
  })

  it('cuts a text of more than 40,000 characters, and warns', async () => {
    const { call } = await connect(sandbox)
    const answer = await call('chat.postMessage', {
      channel: id('general'),
      text: 'x'.repeat(40_001),
    })
    expect(answer).toMatchObject({ ok: true, warning: 'message_truncated' })
    expect(sandbox.slack.messages('general')[0]?.text).toHaveLength(40_000)
  })

  it.each([
    ['channel_not_found', 'releases', 'a private channel that the bot is not in'],
    ['is_archived', 'old', 'an archived channel'],
  ])('refuses with %s in %s, %s', async (error, channel) => {
    const { call } = await connect(sandbox)
    expect(await call('chat.postMessage', { channel: id(channel), text: 'Hello' })).toEqual({
      ok: false,
      error,
    })
    expect(sandbox.slack.messages(channel)).toEqual([])
  })

  it('refuses with channel_not_found what does not exist, and with invalid_arguments no channel', async () => {
    const { call } = await connect(sandbox)
    expect(await call('chat.postMessage', { channel: 'C0NOWHERE1', text: 'Hello' })).toEqual({
      ok: false,
      error: 'channel_not_found',
    })
    expect(await call('chat.postMessage', { text: 'Hello' })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    })
  })

  it('refuses with not_in_channel in a public channel, without chat:write.public and unless invited', async () => {
    const { call } = await connect(sandbox, ['chat:write'])
    const post = () => call('chat.postMessage', { channel: id('general'), text: 'Hello' })
    expect(await post()).toEqual({ ok: false, error: 'not_in_channel' })
    sandbox.slack.invite('general')
    expect(await post()).toMatchObject({ ok: true })
  })

  it.each([
    ['no_text', {}],
    ['no_text', { text: '', blocks: [] }],
    ['invalid_metadata_format', { text: 'Hello', metadata: { event_type: 'deployment' } }],
    ['invalid_metadata_format', { text: 'Hello', metadata: 'none' }],
  ])('refuses with %s: %o', async (error, fields) => {
    const { call } = await connect(sandbox)
    expect(await call('chat.postMessage', { channel: id('general'), ...fields })).toEqual({
      ok: false,
      error,
    })
  })

  it.each(['restricted_action', 'ekm_access_denied', 'no_permission'] as const)(
    'refuses with %s when the workspace forbids it in the channel, until it allows it',
    async (error) => {
      const { call } = await connect(sandbox)
      const post = () => call('chat.postMessage', { channel: id('general'), text: 'Hello' })
      sandbox.slack.refuse('general', error)
      expect(await post()).toEqual({ ok: false, error })
      sandbox.slack.refuse('general', undefined)
      expect(await post()).toMatchObject({ ok: true })
    },
  )

  it('lets nothing but answers into a thread-only channel, and none into one without threads', async () => {
    const { call } = await connect(sandbox)
    const channel = id('general')
    const thread_ts = sandbox.slack.say('general', 'ada', 'Hello')
    const post = (fields: object) => call('chat.postMessage', { channel, text: 'Hello', ...fields })
    sandbox.slack.refuse('general', 'restricted_action_thread_only_channel')
    expect(await post({})).toMatchObject({ error: 'restricted_action_thread_only_channel' })
    expect(await post({ thread_ts })).toMatchObject({ ok: true })
    sandbox.slack.refuse('general', 'restricted_action_non_threadable_channel')
    expect(await post({})).toMatchObject({ ok: true })
    expect(await post({ thread_ts })).toMatchObject({
      error: 'restricted_action_non_threadable_channel',
    })
  })
})

describe('client_msg_id', () => {
  const post = async (text: string, channel = 'general') => {
    const { call } = await connect(sandbox)
    return call('chat.postMessage', { channel: id(channel), text, client_msg_id: 'one' })
  }

  it('makes a second post answer the first message, and post nothing', async () => {
    const first = await post('First')
    expect(await post('Second')).toMatchObject({
      ok: true,
      ts: first['ts'],
      message: { text: 'First' },
    })
    expect(sandbox.slack.messages('general')).toMatchObject([{ text: 'First', clientMsgId: 'one' }])
  })

  it('is of one channel', async () => {
    const first = await post('First')
    expect((await post('Second', 'deployments'))['ts']).not.toBe(first['ts'])
  })

  it('is refused with duplicate_message_not_found once the message has been deleted', async () => {
    const first = await post('First')
    sandbox.slack.deleteMessage('general', String(first['ts']))
    expect(await post('Second')).toEqual({ ok: false, error: 'duplicate_message_not_found' })
  })

  it('is forgotten after a minute', async () => {
    const first = await post('First')
    sandbox.clock.advance(59_000)
    expect((await post('Second'))['ts']).toBe(first['ts'])
    sandbox.clock.advance(1_000)
    expect((await post('Third'))['ts']).not.toBe(first['ts'])
    expect(sandbox.slack.messages('general')).toHaveLength(2)
  })

  it('is nothing but a field when it is not honoured', async () => {
    sandbox.slack.clientMsgIdWindowMs = 0
    await post('First')
    await post('Second')
    expect(sandbox.slack.messages('general')).toHaveLength(2)
  })
})

describe('the rate limit', () => {
  it('is off unless it is switched on', async () => {
    const { call } = await connect(sandbox)
    const post = () => call('chat.postMessage', { channel: id('general'), text: 'Hello' })
    await post()
    expect(await post()).toMatchObject({ ok: true })
  })

  it('leaves what people write out of account', async () => {
    sandbox.slack.rateLimit = true
    const { call } = await connect(sandbox)
    sandbox.slack.say('general', 'ada', 'Hello')
    expect(await call('chat.postMessage', { channel: id('general'), text: 'Hello' })).toMatchObject(
      {
        ok: true,
      },
    )
  })

  it('is one message per second and channel, answered with 429 and Retry-After', async () => {
    sandbox.slack.rateLimit = true
    const { token } = await connect(sandbox)
    const post = (channel: string) =>
      fetch(`${sandbox.addresses.slackApi}/chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: new URLSearchParams({ channel: id(channel), text: 'Hello' }),
      })
    expect((await post('general')).status).toBe(200)
    const limited = await post('general')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await limited.json()).toEqual({ ok: false, error: 'ratelimited' })
    expect((await post('deployments')).status).toBe(200)
    sandbox.clock.advance(1_000)
    expect((await post('general')).status).toBe(200)
  })
})
