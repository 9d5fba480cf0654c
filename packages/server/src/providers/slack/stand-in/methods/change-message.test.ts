import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect, usualScopes } from '../testing/slack-client.ts'

const sandbox = await openSandbox()

const section = { type: 'section', text: { type: 'mrkdwn', text: '*Deployed*' } }
const metadata = { event_type: 'deployment', event_payload: { id: 'dep_1' } }
const id = (channel: string) => sandbox.slack.channelId(channel)

describe('chat.update', () => {
  async function posted() {
    const { call } = await connect(sandbox)
    const channel = id('general')
    const blocks = [section]
    const { ts } = await call('chat.postMessage', { channel, text: 'Deploying', blocks, metadata })
    const update = (fields: object) => call('chat.update', { channel, ts, ...fields })
    return { call, channel, ts: String(ts), update }
  }

  it('replaces text and blocks, keeps the metadata, and keeps what was there before', async () => {
    const { channel, ts, update } = await posted()
    const blocks = [{ type: 'divider' }]
    expect(await update({ text: 'Deployed', blocks })).toMatchObject({
      ok: true,
      channel,
      ts,
      text: 'Deployed',
      message: { text: 'Deployed', blocks, edited: { user: 'U0SIGNALBX' } },
    })
    expect(sandbox.slack.messages('general')).toMatchObject([
      {
        text: 'Deployed',
        blocks,
        metadata,
        editCount: 1,
        revisions: [{ text: 'Deploying', blocks: [section] }],
      },
    ])
  })

  it('removes the blocks when there is only text, and takes other metadata', async () => {
    const { update } = await posted()
    const other = { event_type: 'deployment', event_payload: { id: 'dep_2' } }
    await update({ text: 'Deployed', metadata: other })
    const [message] = sandbox.slack.messages('general')
    expect(message).toMatchObject({ text: 'Deployed', metadata: other })
    expect(message?.blocks).toBeUndefined()
  })

  it('shows an answer in the channel when that is asked for', async () => {
    const { call, channel, ts } = await posted()
    const reply = await call('chat.postMessage', { channel, text: 'Failed', thread_ts: ts })
    const fields = { channel, ts: reply['ts'], text: 'Failed', reply_broadcast: true }
    expect(await call('chat.update', fields)).toMatchObject({
      message: { subtype: 'thread_broadcast' },
    })
  })

  it('takes 4,000 characters and refuses more with msg_too_long', async () => {
    const { update } = await posted()
    expect(await update({ text: 'x'.repeat(4_001) })).toEqual({ ok: false, error: 'msg_too_long' })
    expect(await update({ text: 'x'.repeat(4_000) })).toMatchObject({ ok: true })
  })

  it('refuses with message_not_found what is not there or has been deleted', async () => {
    const { ts, update } = await posted()
    const missing = { ok: false, error: 'message_not_found' }
    expect(await update({ ts: '1.000001', text: 'Deployed' })).toEqual(missing)
    sandbox.slack.deleteMessage('general', ts)
    expect(await update({ text: 'Deployed' })).toEqual(missing)
  })

  it('refuses with cant_update_message to change what somebody else wrote', async () => {
    const { update } = await posted()
    const ts = sandbox.slack.say('general', 'ada', 'Hello')
    expect(await update({ ts, text: 'Bye' })).toEqual({ ok: false, error: 'cant_update_message' })
  })

  it.each(['edit_window_closed', 'cant_update_message'] as const)(
    'refuses with %s when the workspace says so',
    async (error) => {
      const { update } = await posted()
      sandbox.slack.refuse('general', error)
      expect(await update({ text: 'Deployed' })).toEqual({ ok: false, error })
    },
  )

  it.each([
    ['channel_not_found', { channel: 'general', text: 'By its name' }],
    ['no_text', {}],
    ['invalid_blocks_format', { blocks: 'none' }],
    ['invalid_arguments', { ts: '', text: 'Deployed' }],
  ])('refuses with %s: %o', async (error, fields) => {
    const { update } = await posted()
    expect(await update(fields)).toMatchObject({ ok: false, error })
  })

  it('refuses with is_inactive in an archived channel', async () => {
    const { update } = await posted()
    sandbox.slack.archive('general')
    expect(await update({ text: 'Deployed' })).toEqual({ ok: false, error: 'is_inactive' })
  })

  it('refuses with channel_not_found in a private channel that the bot was removed from', async () => {
    const { call } = await connect(sandbox)
    sandbox.slack.invite('releases')
    const channel = id('releases')
    const { ts } = await call('chat.postMessage', { channel, text: 'Deploying' })
    sandbox.slack.kick('releases')
    expect(await call('chat.update', { channel, ts, text: 'Deployed' })).toEqual({
      ok: false,
      error: 'channel_not_found',
    })
  })
})

describe('chat.delete', () => {
  it('deletes what the bot wrote, once, and nothing else', async () => {
    const { call } = await connect(sandbox)
    const channel = id('general')
    const { ts } = await call('chat.postMessage', { channel, text: 'Hello' })
    expect(await call('chat.delete', { channel, ts })).toEqual({ ok: true, channel, ts })
    expect(await call('chat.delete', { channel, ts })).toMatchObject({ error: 'message_not_found' })
    const other = sandbox.slack.say('general', 'ada', 'Hello')
    expect(await call('chat.delete', { channel, ts: other })).toEqual({
      ok: false,
      error: 'cant_delete_message',
    })
  })
})

describe('chat.getPermalink', () => {
  it('leads to the message on the page of its channel', async () => {
    const { call } = await connect(sandbox)
    const channel = id('general')
    const { ts } = await call('chat.postMessage', { channel, text: 'Hello' })
    const { permalink } = await call('chat.getPermalink', { channel, message_ts: ts })
    const { hash, pathname } = new URL(String(permalink))
    expect(pathname).toBe(`/slack/channels/${channel}`)
    const page = await (await fetch(String(permalink))).text()
    expect(page).toContain(`id="${hash.slice(1)}"`)
    expect(await call('chat.getPermalink', { channel, message_ts: '1.000001' })).toEqual({
      ok: false,
      error: 'message_not_found',
    })
  })
})

describe('reactions.add', () => {
  it('adds each reaction once', async () => {
    const { call } = await connect(sandbox, [...usualScopes, 'reactions:write'])
    const channel = id('general')
    const timestamp = sandbox.slack.say('general', 'ada', 'Hello')
    const react = (fields: object) => call('reactions.add', { channel, timestamp, ...fields })
    expect(await react({ name: 'rocket' })).toEqual({ ok: true })
    expect(await react({ name: 'rocket' })).toEqual({ ok: false, error: 'already_reacted' })
    expect(await react({})).toEqual({ ok: false, error: 'no_item_specified' })
  })
})
