import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatMessage } from '../chat/chat-message.ts'
import { explainCode, explainError } from './errors.ts'
import { toNonce, toSnowflake } from './message-key.ts'
import { markOf } from './render-message.ts'
import { openDiscord, type OpenedDiscord } from './testing/open-discord.ts'

let world: OpenedDiscord

beforeAll(async () => {
  world = await openDiscord()
})
beforeEach(async () => {
  world.sandbox.reset()
  await world.connect()
})
afterAll(() => world.close())

const message: ChatMessage = {
  tone: 'success',
  summary: ['Deployed to staging'],
  headline: ['Deployed to staging'],
  links: [],
  facts: [['shop']],
  actions: [],
  sections: [],
  footer: [['3 commits']],
}
const hour = 3_600_000
const idOf = (channel: string) => world.sandbox.discord.channelId(channel)
const post = (channel: string, key: string = randomUUID()) =>
  world.open().post(message, { channelId: idOf(channel), key })
const shown = (channel: string) => world.sandbox.discord.messages(channel)

describe('connecting Discord', () => {
  it('takes the server from the answer of the code, and ends the token of the person', async () => {
    const { account, grant, scopes } = await world.connect()
    const { id, name } = world.sandbox.discord.guild()
    expect(account).toEqual({
      id,
      name,
      url: `${world.sandbox.addresses.discordWeb}/channels/${id}`,
    })
    expect(grant).toBeNull()
    expect(scopes).toEqual(Object.keys(world.connector.wantedScopes))
    expect(world.sandbox.discord.personTokens()).toBe(0)
  })

  it('believes no hint of the address: without the code grant, nothing is connected', async () => {
    world.sandbox.discord.requiresCodeGrant = false
    await expect(world.connect()).rejects.toThrow('account_unnamed')
    expect(world.sandbox.discord.personTokens()).toBe(0)
  })

  it('says which permissions are missing, and what they cost', async () => {
    const guild = world.sandbox.discord.guild()
    for (const role of guild.roles.values()) role.permissions &= ~(1n << 16n)
    const standing = await world.connector.readStanding?.(guild.id)
    expect(standing).toMatchObject({ standing: 'active' })
    expect(JSON.stringify(standing)).not.toContain('READ_MESSAGE_HISTORY')
  })

  it('is left by its bot when it is disconnected, once and again', async () => {
    const guild = world.sandbox.discord.guild()
    const end = () => world.connector.revoke?.({ accountId: guild.id, grant: null })
    expect(world.connector.revokeEffect).toContain('leaves the Discord server')
    await end()
    expect(guild.botRoles).toBeUndefined()
    await expect(end()).resolves.toBeUndefined()
    expect(await world.connector.readStanding?.(guild.id)).toMatchObject({ standing: 'gone' })
  })

  it.each([
    [404, { message: 'Unknown Guild', code: 10_004 }],
    [403, { message: 'Missing Access', code: 50_001 }],
    [404, { message: '404: Not Found', code: 0 }],
  ])('is gone where Discord answers %d with %j', async (status, body) => {
    const { sandbox, connector } = world
    const accountId = sandbox.discord.guild().id
    const fault = { kind: 'answer', status, body: JSON.stringify(body) } as const
    sandbox.faults.add({ provider: 'discord', request: 'DELETE /users/@me/guilds/', fault })
    await expect(connector.revoke?.({ accountId, grant: null })).resolves.toBeUndefined()
    sandbox.faults.add({ provider: 'discord', request: `GET /guilds/${accountId}`, fault })
    expect(await connector.readStanding?.(accountId)).toMatchObject({ standing: 'gone' })
  })
})

describe('a token of the bot that was reset at Discord', () => {
  it('ends every call, and does not say that the bot was removed', async () => {
    const guild = world.sandbox.discord.guild()
    const reference = await post('general')
    world.sandbox.discord.acceptsBotToken = false
    const api = world.open()
    const calls = [
      () => api.post(message, { channelId: idOf('general'), key: randomUUID() }),
      () => api.update(reference, message),
      () => api.checkAccess(),
      () => api.checkChannel(idOf('general')),
      () => world.connector.readStanding?.(guild.id),
      () => world.connector.revoke?.({ accountId: guild.id, grant: null }),
    ]
    for (const call of calls) {
      const refused = await Promise.resolve(call()).catch((error: unknown) => error)
      expect(refused).toMatchObject({ failure: 'unauthorized', code: 'http_401' })
      expect(explainError(refused as never)).toMatchObject({
        reaction: 'reconnect',
        nextStep: expect.stringContaining('enters the current bot token'),
      })
    }
    expect(guild.botRoles).toBeDefined()
  })
})

describe('the channels of a server', () => {
  it('are those of text that the bot sees, with what it may do there', async () => {
    const { channels } = await world.open().listChannels({ page: undefined, limit: 200 })
    const of = ({ name, isPrivate, isMember, obstacle, reach }: (typeof channels)[number]) => [
      name,
      isPrivate,
      isMember,
      obstacle ?? reach,
    ]
    expect(channels.map(of)).toEqual([
      ['general', false, true, 'the bot can post'],
      ['deployments', false, true, 'the bot can post'],
      ['read-only', false, false, 'the bot may not post'],
      ['announcements', false, true, 'the bot can post'],
    ])
  })

  it('are without those that the bot may not see, also where Discord lists them', async () => {
    const { discord, addresses } = world.sandbox
    const path = `${addresses.discordApi}/v10/guilds/${discord.guild().id}/channels`
    const authorization = `Bot ${discord.app.botToken}`
    const headers = { authorization, 'user-agent': 'DiscordBot (https://example.com, 1)' }
    const list = async () => (await fetch(path, { headers })).text()
    expect(await list()).not.toContain(idOf('releases'))
    discord.listsHiddenChannels = true
    expect(await list()).toContain(idOf('releases'))
    const { channels } = await world.open().listChannels({ page: undefined, limit: 200 })
    expect(channels.map(({ id }) => id)).not.toContain(idOf('releases'))
    expect(channels).toHaveLength(4)
    expect(await world.open().findChannel(idOf('releases'))).toBeUndefined()
  })

  it('come page by page', async () => {
    const api = world.open()
    const first = await api.listChannels({ page: undefined, limit: 3 })
    const second = await api.listChannels({ page: first.nextPage, limit: 3 })
    expect([first.channels.length, second.channels.length, second.nextPage]).toEqual([
      3,
      1,
      undefined,
    ])
  })

  it('of another organization are not there, although the bot could write to them', async () => {
    const { discord } = world.sandbox
    const other = discord.addGuild('Other')
    other.botRoles = [other.id]
    for (const role of other.roles.values()) role.permissions = 1n << 3n
    const channelId = discord.addChannel({ name: 'secrets' }, other)
    const api = world.open()
    expect(await api.findChannel(channelId)).toBeUndefined()
    expect(await api.checkChannel(channelId)).toEqual({ name: null, refusedWith: '10003' })
    const posting = api.post(message, { channelId, key: randomUUID() })
    await expect(posting).rejects.toMatchObject({ code: '10003', failure: 'notFound' })
    // Control: its own organization does.
    await world.open(other.id).post(message, { channelId, key: randomUUID() })
    expect(other.channels.get(channelId)?.messages.size).toBe(1)
  })

  it('are private where not everybody sees them, and closed where embeds are not allowed', async () => {
    const { discord } = world.sandbox
    const own = { id: discord.app.id, type: 1 } as const
    discord.channel('releases').overwrites.push({ ...own, allow: 1n << 10n, deny: 0n })
    discord.channel('announcements').overwrites.push({ ...own, allow: 0n, deny: 1n << 14n })
    const api = world.open()
    expect(await api.findChannel(idOf('releases'))).toMatchObject({
      isPrivate: true,
      isMember: true,
      reach: 'the bot can post',
    })
    expect(await api.findChannel(idOf('announcements'))).toMatchObject({
      isPrivate: false,
      isMember: false,
      obstacle: 'the bot may not post',
    })
    expect(await api.checkChannel(idOf('announcements'))).toMatchObject({ refusedWith: '50013' })
  })

  it('are not asked for once the server is no longer the connected one, although the bot is still in it', async () => {
    const ended = () => Promise.reject(new Error('It is not connected'))
    const [api, channelId] = [world.open(undefined, ended), idOf('general')]
    const reference = await post('general')
    const asked = world.sandbox.log.list().length
    const calls = [
      api.post(message, { channelId, key: randomUUID() }),
      api.update(reference, message),
      api.find?.({ channelId, key: randomUUID(), since: new Date(0) }),
      api.listChannels({ page: undefined, limit: 200 }),
      api.findChannel(channelId),
      api.checkChannel(channelId),
    ]
    for (const call of calls) await expect(call).rejects.toThrow('It is not connected')
    expect(world.sandbox.log.list()).toHaveLength(asked)
  })

  it.each([
    ['read-only', '50013'],
    ['releases', '10003'],
    ['Lounge', '50008'],
    ['general', null],
  ])('%s refuses with %s', async (channel, refusedWith) => {
    expect(await world.open().checkChannel(idOf(channel))).toMatchObject({ refusedWith })
  })
})

describe('a message', () => {
  it('is the first one again when it is repeated with its key, within the window', async () => {
    const key = randomUUID()
    const first = await post('general', key)
    expect(await post('general', key)).toEqual(first)
    expect(shown('general')).toHaveLength(1)
    // Control: after the window it would be a second one.
    world.sandbox.clock.advance(world.sandbox.discord.nonceWindowMs + 1_000)
    expect(await post('general', key)).not.toEqual(first)
    expect(world.open().capabilities.repeatMs).toBeLessThan(world.sandbox.discord.nonceWindowMs)
  })

  it('has a nonce that Discord takes: a UUID would be too long', async () => {
    const key = randomUUID()
    await post('general', key)
    expect(toNonce(key)).toHaveLength(22)
    const [sent] = world.sent(`POST /channels/${idOf('general')}/messages`)
    expect(sent).toMatchObject({ nonce: toNonce(key), enforce_nonce: true })
    const { discordApi } = world.sandbox.addresses
    const answer = await fetch(`${discordApi}/v10/channels/${idOf('general')}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bot ${world.sandbox.discord.app.botToken}`,
        'user-agent': 'DiscordBot (https://example.com, 1)',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ content: 'x', nonce: key, enforce_nonce: true }),
    })
    expect(answer.status).toBe(400)
  })

  it('control: an edit without a word about mentions would mention, whatever its post said', async () => {
    const { channelId, messageId } = await post('general')
    const { discordApi } = world.sandbox.addresses
    await fetch(`${discordApi}/v10/channels/${channelId}/messages/${messageId}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bot ${world.sandbox.discord.app.botToken}`,
        'user-agent': 'DiscordBot (https://example.com, 1)',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ content: '@everyone' }),
    })
    expect(shown('general')).toMatchObject([{ pinged: true }])
  })

  it('mentions nobody, neither when it is posted nor with any edit', async () => {
    const reference = await post('general')
    await world.open().update(reference, message)
    await world.open().update(reference, { ...message, facts: [['again']] })
    expect(shown('general')).toMatchObject([{ pinged: false, edits: 2 }])
    for (const body of world.sent(`PATCH /channels/${reference.channelId}`)) {
      expect(body).toMatchObject({ allowed_mentions: { parse: [] } })
    }
  })

  it('that somebody deleted is gone for good: its repetition is told so', async () => {
    const key = randomUUID()
    const { messageId } = await post('general', key)
    world.sandbox.discord.deleteMessage('general', messageId)
    const refused = await post('general', key).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: '10008' })
    expect(explainError(refused as never).reaction).toBe('deleted')
    const edited = await world
      .open()
      .update({ channelId: idOf('general'), messageId }, message)
      .catch((error: unknown) => error)
    expect(explainError(edited as never).reaction).toBe('deleted')
    expect(shown('general')).toEqual([])
    // Control: with another key, what somebody deleted is back.
    await post('general')
    expect(shown('general')).toHaveLength(1)
  })

  it('is edited later where Discord limits edits after an hour', async () => {
    const reference = await post('general')
    const update = () => world.open().update(reference, message)
    // Control: as many edits and one more, before the hour is over.
    for (let edit = 0; edit < 4; edit += 1) await update()
    world.sandbox.clock.advance(hour + 1_000)
    for (let edit = 0; edit < 3; edit += 1) await update()
    const refused = await update().catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: '30046', failure: 'rateLimited' })
    expect(explainError(refused as never)).toMatchObject({
      reaction: 'wait',
      detail: expect.stringContaining('older than an hour'),
    })
    // Waiting helps, so nobody is asked to do anything.
    world.sandbox.clock.advance(60_000)
    await update()
  })

  it('is answered in a thread of its own, or to the whole channel', async () => {
    const thread = await post('general')
    const { channelId, messageId } = thread
    const api = world.open()
    const inThread = await api.post(message, { channelId, key: randomUUID(), thread })
    const again = await api.post(message, { channelId, key: randomUUID(), thread })
    expect([inThread.channelId, again.channelId]).toEqual([messageId, messageId])
    await api.update(inThread, message)
    const of = { channelId, key: randomUUID(), thread, broadcast: true }
    expect((await api.post(message, of)).channelId).toBe(channelId)
    expect(shown('general').map(({ replyTo }) => replyTo)).toEqual([
      undefined,
      messageId,
      undefined,
      undefined,
    ])
  })

  it('is not answered in a thread that the bot may not open', async () => {
    const thread = await post('general')
    const { channelId } = thread
    for (const role of world.sandbox.discord.guild().roles.values()) {
      role.permissions &= ~(1n << 35n)
    }
    const to = { channelId, key: randomUUID(), thread }
    await expect(world.open().post(message, to)).rejects.toMatchObject({ code: '50013' })
    expect(shown('general')).toHaveLength(1)
  })

  it('was not sent where the answer about its thread was lost, and the thread is there for the next try', async () => {
    const thread = await post('general')
    const { channelId, messageId } = thread
    const request = `POST /channels/${channelId}/messages/${messageId}/threads`
    world.sandbox.faults.add({ provider: 'discord', request, fault: { kind: 'cut' } })
    const to = { channelId, key: randomUUID(), thread }
    await expect(world.open().post(message, to)).rejects.toMatchObject({ failure: 'unavailable' })
    expect(shown('general')).toHaveLength(1)
    expect((await world.open().post(message, to)).channelId).toBe(messageId)
  })

  it('is linked to', async () => {
    const reference = await post('general')
    const url = await world.open().findUrl?.(reference)
    expect((await fetch(url ?? '')).status).toBe(200)
  })
})

describe('a message whose answer was lost', () => {
  it('is found by its mark among everything that was written since', async () => {
    const since = world.sandbox.clock.now()
    const key = randomUUID()
    for (let said = 0; said < 120; said += 1) world.sandbox.discord.say('general', 'Hello')
    const reference = await post('general', key)
    for (let said = 0; said < 120; said += 1) world.sandbox.discord.say('general', 'Hello')
    const find = (of: string) =>
      world.open().find?.({ channelId: reference.channelId, key: of, since })
    expect(await find(key)).toEqual(reference)
    expect(await find(randomUUID())).toBeUndefined()
  })

  it('is found in the thread that it was sent to, and absent where that was never opened', async () => {
    const thread = await post('general')
    const { channelId } = thread
    const [since, key] = [world.sandbox.clock.now(), randomUUID()]
    const find = (of: object) => world.open().find?.({ channelId, key, since, thread, ...of })
    expect(await find({})).toBeUndefined()
    const reply = await world.open().post(message, { channelId, key, thread })
    expect(reply.channelId).toBe(thread.messageId)
    expect(await find({})).toEqual(reply)
    // Control: the channel doesn’t show it.
    expect(await find({ thread: undefined })).toBeUndefined()
    const shown = await world
      .open()
      .post(message, { channelId, key: randomUUID(), thread, broadcast: true })
    expect(shown.channelId).toBe(channelId)
  })

  it('is not called absent where the bot may not read the history', async () => {
    const since = world.sandbox.clock.now()
    const key = randomUUID()
    const { channelId } = await post('general', key)
    for (const role of world.sandbox.discord.guild().roles.values()) {
      role.permissions &= ~(1n << 16n)
    }
    const finding = world.open().find?.({ channelId, key, since })
    await expect(finding).rejects.toMatchObject({ failure: 'forbidden', code: '50013' })
  })

  it('is found where Discord’s clock is behind, and by its nonce where that is shown, among messages of others', async () => {
    const key = randomUUID()
    const reference = await post('general', key)
    const aheadBy30s = new Date(world.sandbox.clock.now().getTime() + 30_000)
    const find = () =>
      world.open().find?.({ channelId: reference.channelId, key, since: aheadBy30s })
    expect(await find()).toEqual(reference)
    const copied = { nonce: toNonce(key), embeds: [{ footer: { text: markOf(key) } }] }
    const listed = [
      { id: '1', author: { id: '80351110224678912' }, ...copied },
      { id: '2', author: { id: world.sandbox.discord.app.id }, nonce: toNonce(key), embeds: [] },
    ]
    const request = `GET /channels/${reference.channelId}/messages`
    const fault = { kind: 'answer', status: 200, body: JSON.stringify(listed) } as const
    world.sandbox.faults.add({ provider: 'discord', request, fault })
    expect(await find()).toMatchObject({ messageId: '2' })
  })

  it('is not called absent where more was written than is read', async () => {
    const since = world.sandbox.clock.now()
    for (let said = 0; said < 2_000; said += 1) world.sandbox.discord.say('general', 'Hello')
    const of = { channelId: idOf('general'), key: randomUUID(), since }
    await expect(world.open().find?.(of)).rejects.toMatchObject({
      failure: 'unavailable',
      code: 'too_much_written',
    })
  })

  it('is looked for from the moment of the first try', () => {
    expect(toSnowflake(new Date('2015-01-01T00:00:01Z'))).toBe(String(1000n << 22n))
  })
})

describe('what Discord refuses', () => {
  /** Answers the next post in `general`, and does nothing. */
  const refuseWith = (status: number, body: object, headers: Record<string, string> = {}) =>
    world.sandbox.faults.add({
      provider: 'discord',
      request: `POST /channels/${idOf('general')}/messages`,
      fault: { kind: 'answer', status, headers, body: JSON.stringify(body) },
    })

  /** Expects a pause of so many milliseconds, which began after `before`. */
  function expectPause(refused: unknown, { before, ms }: { before: number; ms: number }): void {
    const until = (refused as { readonly retryAt: Date }).retryAt.getTime()
    expect(until - before).toBeGreaterThanOrEqual(ms)
    expect(until - world.sandbox.clock.now().getTime()).toBeLessThanOrEqual(ms)
  }

  it('is not asked again before the limit of that route ends, and other channels are', async () => {
    world.sandbox.discord.rateLimit = true
    await world.connect()
    const api = world.open()
    const send = (channel: string) =>
      api.post(message, { channelId: idOf(channel), key: randomUUID() })
    for (let sent = 0; sent < 5; sent += 1) await send('general')
    await expect(send('general')).rejects.toMatchObject({ code: 'rate_limited' })
    const asked = world.sandbox.log.list().length
    await expect(send('general')).rejects.toMatchObject({ failure: 'rateLimited' })
    expect(world.sandbox.log.list()).toHaveLength(asked)
    await send('deployments')
    world.sandbox.clock.advance(6_000)
    await send('general')
  })

  it('keeps the fractions of a second, and all calls of the bot off where the limit is global', async () => {
    const api = world.open()
    world.sandbox.faults.add({
      provider: 'discord',
      request: 'GET /guilds/',
      fault: {
        kind: 'answer',
        status: 429,
        headers: { 'content-type': 'application/json', 'retry-after': '1' },
        body: JSON.stringify({ message: 'slow', retry_after: 1.75, global: true }),
      },
    })
    const before = world.sandbox.clock.now().getTime()
    const refused = await api.checkAccess().catch((error: unknown) => error)
    expectPause(refused, { before, ms: 1_750 })
    await expect(post('general')).rejects.toMatchObject({ failure: 'rateLimited' })
    world.sandbox.clock.advance(2_000)
    await expect(post('general')).resolves.toBeDefined()
  })

  it.each([
    ['a bot that was removed', '10004', 'reconnect', () => world.sandbox.discord.kick()],
    [
      'AutoMod',
      '200000',
      'broken',
      () => {
        world.sandbox.discord.channel('general').rejection = 200_000
      },
    ],
  ])('%s: %s is %s', async (_what, code, reaction, spoil) => {
    spoil()
    const refused = await post('general').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code })
    expect(explainError(refused as never).reaction).toBe(reaction)
  })

  it.each([
    [401, 50_014, 'reconnect', 'bot token'],
    [401, 40_001, 'reconnect', 'bot token'],
    [404, 10_003, 'broken', 'doesn’t exist'],
    [403, 50_001, 'broken', 'allow the bot'],
    [403, 40_007, 'broken', 'allow the bot'],
    [400, 50_008, 'broken', 'no text channel'],
    [400, 50_083, 'broken', 'archived or locked'],
    [400, 160_005, 'broken', 'archived or locked'],
    [413, 40_005, 'shrink', 'size'],
    [403, 50_005, 'deleted', 'another bot'],
    [400, 50_035, 'broken', 'refused the message'],
    [400, 200_000, 'broken', 'AutoMod'],
    [400, 200_001, 'broken', 'AutoMod'],
    [429, 20_028, 'wait', 'more slowly'],
    [429, 20_016, 'wait', 'more slowly'],
    [400, 40_062, 'wait', 'more slowly'],
    [403, 130_000, 'wait', 'more slowly'],
    [500, 0, 'unclear', 'did not say'],
  ])('with %d and the code %d is %s: %s', async (status, code, reaction, detail) => {
    await post('general')
    refuseWith(status, { message: 'No', code })
    const refused = await post('general').catch((error: unknown) => error)
    expect(explainError(refused as never)).toMatchObject({
      reaction,
      detail: expect.stringContaining(detail),
    })
  })

  it.each(['http_401', '50014'])('is explained by its code alone, later: %s', (code) => {
    expect(explainCode(code).nextStep).toContain('enters the current bot token')
  })

  it('for its length is sent again with less', async () => {
    const tooLong = { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Too long' }] }
    const errors = { embeds: { 0: { description: tooLong } } }
    refuseWith(400, { message: 'Invalid Form Body', code: 50_035, errors })
    const refused = await post('general').catch((error: unknown) => error)
    expect(explainError(refused as never)).toMatchObject({ reaction: 'shrink' })
  })

  it('is one of a channel in which the bot may read alone', async () => {
    const refused = await post('read-only').catch((error: unknown) => error)
    expect(refused).toMatchObject({ failure: 'forbidden', code: '50013' })
    expect(explainError(refused as never)).toMatchObject({
      reaction: 'broken',
      nextStep: expect.stringContaining('Send Messages'),
    })
  })

  it('is not even tried where the answer before says that nothing is left', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '3.5' }
    const body = { id: '1', channel_id: idOf('general') }
    refuseWith(200, body, headers)
    const before = world.sandbox.clock.now().getTime()
    await post('general')
    const refused = await post('general').catch((error: unknown) => error)
    expect(refused).toMatchObject({ failure: 'rateLimited' })
    expectPause(refused, { before, ms: 3_500 })
    world.sandbox.clock.advance(3_600)
    await post('general')
    expect(shown('general')).toHaveLength(1)
  })

  it('in words that are no answer of Discord may have been done', async () => {
    refuseWith(200, { said: 'Hello' })
    await expect(post('general')).rejects.toMatchObject({ failure: 'ambiguous' })
  })

  it('about one channel says nothing about the connection', async () => {
    refuseWith(403, { message: 'No', code: 50_013 })
    world.observed.length = 0
    await expect(post('general')).rejects.toMatchObject({ failure: 'forbidden' })
    expect(world.observed.filter((failed) => failed !== undefined)).toEqual([])
  })

  it('by a token that is wrong is told of the connection', async () => {
    const answer = { kind: 'answer', status: 401, body: '{"message":"401: Unauthorized","code":0}' }
    world.sandbox.faults.add({ provider: 'discord', fault: { ...answer, kind: 'answer' } })
    world.observed.length = 0
    const refused = await world
      .open()
      .checkAccess()
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ failure: 'unauthorized', code: 'http_401' })
    expect(explainError(refused as never).reaction).toBe('reconnect')
    expect(world.observed).toEqual([refused])
  })

  it('is unclear where the answer of a post is lost', async () => {
    const request = `POST /channels/${idOf('general')}/messages`
    world.sandbox.faults.add({ provider: 'discord', request, fault: { kind: 'cut' } })
    const key = randomUUID()
    await expect(post('general', key)).rejects.toMatchObject({ failure: 'ambiguous' })
    await post('general', key)
    expect(shown('general')).toHaveLength(1)
  })
})
