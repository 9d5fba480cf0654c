import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect, type Body, type Connected } from '../testing/slack-client.ts'

const sandbox = await openSandbox()

const names = (body: Body) =>
  (body['channels'] as readonly { name: string }[]).map(({ name }) => name)
const cursorOf = (body: Body) => (body['response_metadata'] as { next_cursor: string }).next_cursor
const types = 'public_channel,private_channel'

describe('conversations.list', () => {
  it('shows a bot every public channel, and a private one only once it has been invited', async () => {
    const { call } = await connect(sandbox)
    expect(names(await call('conversations.list', { types }))).toEqual([
      'general',
      'deployments',
      'old',
    ])
    sandbox.slack.invite('releases')
    expect(names(await call('conversations.list', { types }))).toContain('releases')
    sandbox.slack.kick('releases')
    expect(names(await call('conversations.list', { types }))).not.toContain('releases')
  })

  it('leaves archived channels out when asked to, and lists public ones by default', async () => {
    const { call } = await connect(sandbox)
    sandbox.slack.invite('releases')
    expect(names(await call('conversations.list', { exclude_archived: 'true' }))).toEqual([
      'general',
      'deployments',
    ])
  })

  it('tells what a channel is', async () => {
    const { call } = await connect(sandbox)
    sandbox.slack.invite('releases')
    const { channels } = await call('conversations.list', { types })
    expect(channels).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'releases',
          is_private: true,
          is_channel: false,
          is_archived: false,
          is_member: true,
          num_members: 3,
        }),
        expect.objectContaining({ name: 'general', is_private: false, is_member: false }),
        expect.objectContaining({ name: 'old', is_archived: true }),
      ]),
    )
  })

  it('pages through all of them, a page holding fewer than its limit although more follow', async () => {
    const { call } = await connect(sandbox)
    for (const number of [1, 2, 3]) sandbox.slack.addChannel({ name: `team-${number}` })
    const sizes: number[] = []
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await call('conversations.list', { types, limit: 2, cursor })
      sizes.push(names(page).length)
      seen.push(...names(page))
      cursor = cursorOf(page)
    } while (cursor !== '')
    expect(sizes).toEqual([2, 1, 2, 1])
    expect(seen).toEqual(['general', 'deployments', 'old', 'team-1', 'team-2', 'team-3'])
  })

  it.each([
    ['invalid_cursor', { cursor: 'bm93aGVyZQ==' }],
    ['invalid_limit', { limit: 1_000 }],
    ['invalid_limit', { limit: 0 }],
    ['invalid_limit', { limit: 'many' }],
    ['invalid_types', { types: 'public_channel,secret' }],
  ])('refuses with %s: %o', async (error, fields) => {
    const { call } = await connect(sandbox)
    expect(await call('conversations.list', fields)).toEqual({ ok: false, error })
  })

  it('needs the scope of each type that is asked for', async () => {
    const { call } = await connect(sandbox, ['channels:read'])
    expect(await call('conversations.list', { types })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'groups:read',
      provided: 'channels:read',
    })
  })
})

describe('users.conversations', () => {
  it('lists what the bot is in', async () => {
    const { call } = await connect(sandbox)
    expect(names(await call('users.conversations', { types }))).toEqual([])
    sandbox.slack.invite('releases')
    sandbox.slack.invite('general')
    const body = await call('users.conversations', { types })
    expect(names(body)).toEqual(['general', 'releases'])
    expect(body['channels']).not.toContainEqual(expect.objectContaining({ is_member: true }))
  })

  it('refuses an unknown user', async () => {
    const { call } = await connect(sandbox)
    const refused = await call('users.conversations', { user: 'U0NOBODY01' })
    expect(refused).toEqual({ ok: false, error: 'user_not_found' })
  })
})

describe('conversations.info', () => {
  it('knows a channel by its id after it was renamed', async () => {
    const { call } = await connect(sandbox)
    const channel = sandbox.slack.channelId('deployments')
    sandbox.slack.rename('deployments', 'ships')
    expect(
      await call('conversations.info', { channel, include_num_members: 'true' }),
    ).toMatchObject({
      ok: true,
      channel: { name: 'ships', previous_names: ['deployments'], num_members: 2 },
    })
  })

  it('knows no private channel that the bot is not in, and none that does not exist', async () => {
    const { call } = await connect(sandbox)
    for (const channel of [sandbox.slack.channelId('releases'), 'C0NOWHERE1']) {
      expect(await call('conversations.info', { channel })).toEqual({
        ok: false,
        error: 'channel_not_found',
      })
    }
  })

  it('needs the scope of the kind of channel', async () => {
    const { call } = await connect(sandbox, ['channels:read'])
    sandbox.slack.invite('releases')
    const channel = sandbox.slack.channelId('releases')
    expect(await call('conversations.info', { channel })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:read',
    })
  })
})

describe('conversations.join', () => {
  const join = (client: Connected, channel: string) =>
    client.call('conversations.join', { channel: sandbox.slack.channelId(channel) })

  it('makes the bot a member, and warns when it was one', async () => {
    const client = await connect(sandbox, ['channels:join'])
    expect(await join(client, 'general')).toMatchObject({ ok: true, channel: { is_member: true } })
    expect(await join(client, 'general')).toMatchObject({
      ok: true,
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    })
  })

  it('refuses archived channels, and private ones whether the bot is in them or not', async () => {
    const client = await connect(sandbox, ['channels:join'])
    expect(await join(client, 'old')).toEqual({ ok: false, error: 'is_archived' })
    expect(await join(client, 'releases')).toEqual({ ok: false, error: 'channel_not_found' })
    sandbox.slack.invite('releases')
    expect(await join(client, 'releases')).toEqual({
      ok: false,
      error: 'method_not_supported_for_channel_type',
    })
  })
})

describe('reading messages', () => {
  const scopes = ['chat:write', 'channels:history']
  const texts = (body: Body) =>
    (body['messages'] as readonly { text: string }[]).map(({ text }) => text)

  it('answers what stands in the channel, newest first, without what was deleted', async () => {
    const { call } = await connect(sandbox, scopes)
    sandbox.slack.invite('general')
    const channel = sandbox.slack.channelId('general')
    const gone = sandbox.slack.say('general', 'grace', 'Gone')
    const metadata = { event_type: 'deployment', event_payload: { id: 'dep_1' } }
    const { ts } = await call('chat.postMessage', { channel, text: 'One', metadata })
    await call('chat.postMessage', { channel, text: 'In the thread', thread_ts: ts })
    await call('chat.postMessage', {
      channel,
      text: 'Also here',
      thread_ts: ts,
      reply_broadcast: true,
    })
    sandbox.slack.deleteMessage('general', gone)
    const body = await call('conversations.history', { channel })
    expect(texts(body)).toEqual(['Also here', 'One'])
    expect(body['messages']).not.toContainEqual(expect.objectContaining({ metadata }))
    const withMetadata = await call('conversations.history', {
      channel,
      include_all_metadata: true,
    })
    expect(withMetadata['messages']).toContainEqual(
      expect.objectContaining({ text: 'One', reply_count: 2, metadata }),
    )
    const thread = await call('conversations.replies', { channel, ts })
    expect(texts(thread)).toEqual(['One', 'In the thread', 'Also here'])
  })

  it('pages, and keeps to the time that is asked for', async () => {
    const { call } = await connect(sandbox, scopes)
    sandbox.slack.invite('general')
    const channel = sandbox.slack.channelId('general')
    const [first = ''] = ['1', '2', '3'].map((text) => sandbox.slack.say('general', 'ada', text))
    const page = await call('conversations.history', { channel, limit: 2 })
    expect([texts(page), page['has_more']]).toEqual([['3', '2'], true])
    const rest = await call('conversations.history', { channel, limit: 2, cursor: cursorOf(page) })
    expect([texts(rest), rest['has_more']]).toEqual([['1'], false])
    expect(texts(await call('conversations.history', { channel, oldest: first }))).toEqual([
      '3',
      '2',
    ])
    const inclusive = { channel, latest: first, inclusive: true }
    expect(texts(await call('conversations.history', inclusive))).toEqual(['1'])
  })

  it.each([
    ['not_in_channel', 'general', {}],
    ['channel_not_found', 'releases', {}],
    ['invalid_arguments', 'general', { ts: '' }],
  ])('is refused with %s in %s', async (error, name, fields) => {
    const { call } = await connect(sandbox, scopes)
    const channel = sandbox.slack.channelId(name)
    const asked = { channel, ts: '1.000001', ...fields }
    expect(await call('conversations.replies', asked)).toMatchObject({ ok: false, error })
  })

  it('is refused with thread_not_found when there is none', async () => {
    const { call } = await connect(sandbox, scopes)
    sandbox.slack.invite('general')
    const channel = sandbox.slack.channelId('general')
    expect(await call('conversations.replies', { channel, ts: '1.000001' })).toEqual({
      ok: false,
      error: 'thread_not_found',
    })
  })

  it('needs groups:history in a private channel', async () => {
    const { call } = await connect(sandbox, scopes)
    sandbox.slack.invite('releases')
    const channel = sandbox.slack.channelId('releases')
    expect(await call('conversations.history', { channel })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:history',
    })
  })
})
