import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { explainChatError } from '../chat/chat-dialects.ts'
import type { ChatMessage } from '../chat/chat-message.ts'
import type { ChatDirectory, ChatSender } from '../chat/chat.ts'
import type { Connected, FormConnector } from '../connector.ts'
import { ProviderError } from '../provider-error.ts'
import { createMattermostApi } from './api.ts'
import { createMattermostConnector } from './connector.ts'
import { explainCode, mattermostCodes } from './errors.ts'
import { isServerUrl, toBaseUrl } from './server-url.ts'

const message = (text: string): ChatMessage => ({
  tone: 'success',
  summary: [text],
  headline: [text],
  links: [],
  facts: [],
  actions: [],
  sections: [],
  footer: [],
})

let sandbox: Sandbox
let egress: Egress
let connector: FormConnector
let api: ChatSender & ChatDirectory

beforeAll(async () => {
  sandbox = await startSandbox()
  egress = createEgress({ allow: ['127.0.0.1'] })
  const now = () => sandbox.clock.now()
  connector = createMattermostConnector({ baseUrl: sandbox.addresses.mattermost, egress, now })
})
beforeEach(async () => {
  api = await open()
})
afterEach(() => sandbox.reset())
afterAll(async () => {
  await Promise.all([sandbox.close(), egress.close()])
})

const connect = (token: string) => connector.connect({ token })

async function connected(): Promise<Connected> {
  const answer = await connect(sandbox.mattermost.botToken)
  if ('refusedField' in answer) throw new Error(answer.detail)
  return answer
}

/** Opens the API as the service does, of an account that was connected at `at`. */
async function open(at = sandbox.addresses.mattermost) {
  const { account, grant } = await connected()
  if (account === undefined || grant === null) throw new Error('Nothing was connected')
  return createMattermostApi({
    call: { provider: 'mattermost', egress, now: () => sandbox.clock.now() },
    baseUrl: at,
    account,
    withAccessToken: (send) => send(grant.accessToken),
  })
}

/** Returns what follows from a call that fails. */
async function reactionTo(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProviderError)) throw new Error(`It did not fail: ${String(error)}`)
  return explainChatError(error)
}

const at = (channel: string, key = 'k1') => ({
  channelId: sandbox.mattermost.channelId(channel),
  key,
})
const titlesOf = (channel: string) =>
  sandbox.mattermost.messages(channel).map(({ props }) => JSON.stringify(props['attachments']))
const since = () => sandbox.clock.now()

describe('connecting', () => {
  it('takes the token of a bot, and knows it by its server and its id', async () => {
    const { account, grant } = await connected()
    const base = sandbox.addresses.mattermost
    expect(account).toEqual({
      id: expect.stringMatching(new RegExp(`^${base}/[a-z0-9]{26}$`)),
      name: expect.stringMatching(/^@signalbox on 127\.0\.0\.1:\d+$/),
      url: base,
    })
    expect(grant).toMatchObject({ accessExpiresAt: null, refreshToken: null })
    expect(connector).toMatchObject({
      revoke: undefined,
      revokeAdvice: expect.stringContaining('Bot Accounts'),
      manageUrl: `${base}/_redirect/integrations/bots`,
    })
  })

  it.each([
    ['a token that is none', () => 'x'.repeat(26), /doesn’t accept this token/],
    ['a token with a line break', () => 'a\nb', /doesn’t accept this token/],
    ['the token of a person', () => sandbox.mattermost.personToken, /belongs to a person/],
    [
      'the token of a disabled bot',
      () => {
        sandbox.mattermost.disableBot()
        return sandbox.mattermost.botToken
      },
      /doesn’t accept this token/,
    ],
    [
      'the token of a bot in no team',
      () => {
        sandbox.mattermost.leaveTeams()
        return sandbox.mattermost.botToken
      },
      /Add it to a team/,
    ],
  ])('refuses %s, and says what to do', async (_, tokenOf, detail) => {
    const token = tokenOf()
    const rejection = await connect(token)
    expect(rejection).toEqual({ refusedField: 'token', detail: expect.stringMatching(detail) })
    expect(JSON.stringify(rejection)).not.toContain(token)
  })

  it.each([
    ['nothing', ''],
    ['two lines', 'a\nb'],
    ['two words', `${'x'.repeat(13)} ${'x'.repeat(12)}`],
    ['letters that a header does not take', 'ü'.repeat(26)],
    ['a page of text', 'x'.repeat(257)],
  ])('sends no token of %s', async (_, token) => {
    const before = sandbox.log.list().length
    expect(await connect(token)).toMatchObject({ refusedField: 'token' })
    expect(sandbox.log.list()).toHaveLength(before)
  })

  it('refuses a bot that Mattermost shows as disabled', async () => {
    const body = JSON.stringify({ id: 'b', username: 'b', is_bot: true, delete_at: 1 })
    const fault = { kind: 'answer', status: 200, body } as const
    sandbox.faults.add({ provider: 'mattermost', request: 'GET /users/me', fault })
    expect(await connect(sandbox.mattermost.botToken)).toEqual({
      refusedField: 'token',
      detail: expect.stringContaining('Enable it'),
    })
  })

  it('says that there is no Mattermost where something else answers', async () => {
    const elsewhere = createMattermostConnector({
      baseUrl: `${sandbox.origin}/slack`,
      egress,
      now: since,
    })
    await expect(elsewhere.connect({ token: 'x' })).rejects.toMatchObject({
      failure: 'unavailable',
    })
  })

  it('calls no private address that the operator has not allowed', async () => {
    const guarded = createEgress({ allow: [] })
    const baseUrl = 'https://127.0.0.1:9'
    const refused = createMattermostConnector({ baseUrl, egress: guarded, now: since })
    await expect(refused.connect({ token: 'x' })).rejects.toMatchObject({
      code: 'address_forbidden',
    })
    // Control: the same address is called where the operator allows it. Nobody is there.
    const allowed = createMattermostConnector({ baseUrl, egress, now: since })
    await expect(allowed.connect({ token: 'x' })).rejects.toMatchObject({ code: 'connection' })
    await guarded.close()
  })

  it('takes an address below a path, and none with credentials or a query', () => {
    expect(toBaseUrl('https://acme.dev/chat/')).toBe('https://acme.dev/chat')
    const withCredentials = ['https://a:b@x', 'https://a@x', 'https://:b@x']
    for (const wrong of ['acme.dev', 'ftp://x', ...withCredentials, 'https://x?y', 'https://x#y']) {
      expect([wrong, isServerUrl(wrong)]).toEqual([wrong, false])
    }
    for (const right of ['http://chat', 'https://acme.dev/chat'])
      expect(isServerUrl(right)).toBe(true)
  })

  it('sends the token to no other server than the one that it was checked at', async () => {
    const moved = await open(`${sandbox.origin}/elsewhere`)
    const before = sandbox.log.list().length
    expect(await reactionTo(moved.checkAccess())).toMatchObject({ reaction: 'reconnect' })
    expect(sandbox.log.list()).toHaveLength(before)
  })
})

describe('a message', () => {
  it('is posted once, and found by its key where its answer was lost', async () => {
    const first = since()
    sandbox.faults.add({ provider: 'mattermost', request: 'POST /posts', fault: { kind: 'cut' } })
    expect(await reactionTo(api.post(message('a'), at('Town Square')))).toMatchObject({
      reaction: 'unclear',
    })
    sandbox.mattermost.say('Town Square', 'something else')
    const found = await api.find?.({ ...at('Town Square'), since: first })
    expect(found?.messageId).toBe(sandbox.mattermost.messages('Town Square')[0]?.id)
    expect(await api.find?.({ ...at('Town Square', 'k2'), since: first })).toBe(undefined)
    // Control: only the property keeps the key. One that is posted with the pending id alone is never found.
    await fetch(`${sandbox.addresses.mattermost}/api/v4/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.mattermost.botToken}` },
      body: JSON.stringify({
        channel_id: sandbox.mattermost.channelId('Town Square'),
        message: 'b',
        pending_post_id: 'k2',
      }),
    })
    expect(sandbox.mattermost.messages('Town Square')).toHaveLength(3)
    expect(await api.find?.({ ...at('Town Square', 'k2'), since: first })).toBe(undefined)
  })

  it('is found where the clock of Mattermost is behind, up to a minute', async () => {
    const { messageId } = await api.post(message('a'), at('Town Square'))
    const find = (aheadMs: number) =>
      api.find?.({ ...at('Town Square'), since: new Date(since().getTime() + aheadMs) })
    expect(await find(30_000)).toMatchObject({ messageId })
    expect(await find(90_000)).toBe(undefined)
  })

  it('is looked for and not repeated, because another node does not know its key', async () => {
    expect(api.capabilities.repeatMs).toBe(0)
    sandbox.mattermost.nodes = 2
    const first = since()
    sandbox.faults.add({ provider: 'mattermost', request: 'POST /posts', fault: { kind: 'cut' } })
    await reactionTo(api.post(message('a'), at('Town Square')))
    expect(await api.find?.({ ...at('Town Square'), since: first })).toBeDefined()
    expect(sandbox.mattermost.messages('Town Square')).toHaveLength(1)
    // Control: a repeat within the window is a second message there.
    await api.post(message('a'), at('Town Square'))
    expect(sandbox.mattermost.messages('Town Square')).toHaveLength(2)
  })

  it('is not known to be there while it is being saved', async () => {
    sandbox.mattermost.holdPending('k1')
    expect(await reactionTo(api.post(message('a'), at('Town Square')))).toMatchObject({
      reaction: 'unclear',
      code: 'api.post.deduplicate_create_post.pending',
      detail: 'Mattermost is still saving the message.',
    })
  })

  it('is found after an edit of another one with the same properties, and by this bot alone', async () => {
    const first = since()
    const posted = await api.post(message('a'), at('Town Square'))
    await api.update(posted, message('b'))
    await fetch(`${sandbox.addresses.mattermost}/api/v4/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.mattermost.personToken}` },
      body: JSON.stringify({
        channel_id: posted.channelId,
        message: 'A copy',
        props: { signalbox_key: 'k1' },
      }),
    })
    expect(sandbox.mattermost.messages('Town Square')).toHaveLength(2)
    // The earlier text is a row with our key, which is no message; nor is what a person copied one of ours.
    expect(await api.find?.({ ...at('Town Square'), since: first })).toBe(undefined)
  })

  it('that a person deleted is found, and said to be deleted by the next edit', async () => {
    const first = since()
    const { messageId } = await api.post(message('a'), at('Town Square'))
    sandbox.mattermost.deleteMessage(messageId)
    const found = await api.find?.({ ...at('Town Square'), since: first })
    expect(found?.messageId).toBe(messageId)
    const edit = () => api.update({ ...at('Town Square'), messageId }, message('b'))
    expect(await reactionTo(edit())).toMatchObject({ reaction: 'deleted' })
  })

  it('is not said to be absent where more was written than is listed', async () => {
    const first = since()
    for (let index = 0; index < 1_000; index += 1) sandbox.mattermost.say('Town Square', 'x')
    const find = api.find?.({ ...at('Town Square'), since: first }) ?? Promise.resolve()
    expect(await reactionTo(find)).toMatchObject({ reaction: 'retry', code: 'too_many_posts' })
  })

  it('says something else after an edit, and is still of a bot', async () => {
    const posted = await api.post(message('a'), at('Town Square'))
    await api.update(posted, message('b'))
    const [now] = sandbox.mattermost.messages('Town Square')
    expect(now?.props).toEqual({ attachments: [expect.anything()], from_bot: 'true' })
    expect(titlesOf('Town Square')[0]).toContain('b')
    expect(await api.findUrl?.(posted)).toBe(
      `${sandbox.addresses.mattermost}/_redirect/pl/${posted.messageId}`,
    )
  })

  it('stays as it is where edits have ended, and is answered in its thread', async () => {
    const posted = await api.post(message('a'), at('Town Square'))
    sandbox.mattermost.postEditTimeLimit = 600
    // Control: the same edit, before the limit.
    await api.update(posted, message('b'))
    sandbox.clock.advance(601_000)
    expect(await reactionTo(api.update(posted, message('b')))).toMatchObject({ reaction: 'frozen' })
    await api.post(message('c'), { ...at('Town Square', 'k2'), thread: posted })
    await api.post(message('d'), {
      ...at('Town Square', 'k3'),
      thread: posted,
      broadcast: true,
    })
    const roots = sandbox.mattermost.messages('Town Square').map(({ rootId }) => rootId)
    expect(roots).toEqual(['', posted.messageId, ''])
  })

  it('goes to a public channel after joining it, and to no private one', async () => {
    expect(await reactionTo(api.post(message('a'), at('Deployments')))).toMatchObject({
      reaction: 'join',
    })
    await api.join?.(sandbox.mattermost.channelId('Deployments'))
    await api.post(message('a'), at('Deployments'))
    expect(sandbox.mattermost.messages('Deployments')).toHaveLength(1)
    const join = api.join?.(sandbox.mattermost.channelId('Releases')) ?? Promise.resolve()
    expect(await reactionTo(join)).toMatchObject({
      nextStep: expect.stringContaining('Add the bot'),
    })
  })

  it('is refused in words where the channel is archived, the token is gone or a limit is reached', async () => {
    const fail = () => reactionTo(api.post(message('a'), at('Town Square')))
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' }
    const limit = { kind: 'answer', status: 429, headers, body: 'limit exceeded' } as const
    sandbox.faults.add({ provider: 'mattermost', fault: limit })
    const { reaction, retryAt } = await fail()
    expect(reaction).toBe('wait')
    const seconds = Math.round(((retryAt?.getTime() ?? 0) - since().getTime()) / 1_000)
    expect(seconds).toBe(7)
    sandbox.mattermost.archive('Town Square')
    expect(await fail()).toMatchObject({ reaction: 'broken', detail: 'The channel is archived.' })
    sandbox.mattermost.deleteToken()
    expect(await fail()).toMatchObject({ reaction: 'reconnect' })
  })

  it.each([
    [{ 'retry-after': '3', 'x-ratelimit-reset': '7' }, 3_000],
    [{ 'x-ratelimit-reset': 'soon' }, 60_000],
    [{}, 60_000],
  ])('is sent again after a limit, as %j says', async (headers, ms) => {
    const limit = { kind: 'answer', status: 429, headers, body: 'limit exceeded' } as const
    const before = since().getTime()
    sandbox.faults.add({ provider: 'mattermost', fault: limit })
    const { retryAt } = await reactionTo(api.post(message('a'), at('Town Square')))
    const until = retryAt?.getTime() ?? Number.NaN
    expect(until - before).toBeGreaterThanOrEqual(ms)
    expect(until - since().getTime()).toBeLessThanOrEqual(ms)
  })

  it.each([404, 401, 403, 502])(
    'is not lost for a page of a proxy with status %s',
    async (status) => {
      const page = { kind: 'answer', status, body: '<html>Proxy</html>' } as const
      sandbox.faults.add({ provider: 'mattermost', request: 'POST /posts', fault: page })
      const { reaction, code } = await reactionTo(api.post(message('a'), at('Town Square')))
      const [expected, named] =
        status === 502 ? ['unclear', 'http_502'] : ['retry', 'not_mattermost']
      expect([reaction, code]).toEqual([expected, named])
    },
  )

  it.each([
    [400, 'model.post.is_valid.message_length.app_error', 'shrink', 'size'],
    [400, 'model.post.is_valid.props.app_error', 'shrink', 'size'],
    [413, 'api.context.request_body_too_large.app_error', 'shrink', 'size'],
    [500, 'api.post.deduplicate_create_post.failed_to_get', 'unclear', 'still saving'],
    [400, 'api.post.update_post.permissions_details.app_error', 'deleted', 'deleted'],
    [401, 'api.context.session_expired.app_error', 'reconnect', 'token of the bot'],
    [404, 'store.sql_channel.get.existing.app_error', 'broken', 'doesn’t exist'],
  ])('refused with %d and %s is %s: %s', async (status, id, reaction, detail) => {
    const body = JSON.stringify({ id, message: 'No', status_code: status })
    const fault = { kind: 'answer', status, body } as const
    sandbox.faults.add({ provider: 'mattermost', request: 'POST /posts', fault })
    expect(await reactionTo(api.post(message('a'), at('Town Square')))).toMatchObject({
      reaction,
      code: id,
      detail: expect.stringContaining(detail),
    })
  })

  it('refused with a sentence in the place of an id keeps none of it', async () => {
    const body = JSON.stringify({ id: 'The token abc is wrong', status_code: 400 })
    const fault = { kind: 'answer', status: 400, body } as const
    sandbox.faults.add({ provider: 'mattermost', request: 'POST /posts', fault })
    expect(await reactionTo(api.post(message('a'), at('Town Square')))).toMatchObject({
      reaction: 'broken',
      code: 'http_400',
    })
  })

  it.each(['{}', '<html>Sign in</html>'])(
    'may have arrived where the answer is none of Mattermost: %s',
    async (body) => {
      const fault = { kind: 'answer', status: 200, body } as const
      sandbox.faults.add({ provider: 'mattermost', request: 'POST /posts', fault })
      expect(await reactionTo(api.post(message('a'), at('Town Square')))).toMatchObject({
        reaction: 'unclear',
      })
      sandbox.faults.add({ provider: 'mattermost', request: 'GET /users/me', fault })
      const list = () => api.listChannels({ page: undefined, limit: 10 })
      expect(await reactionTo(list())).toMatchObject({ reaction: 'retry' })
    },
  )

  it.each(mattermostCodes)('refused with %s says what is the matter and what to do', (code) => {
    const error = new ProviderError({ provider: 'mattermost', failure: 'rejected', code })
    const { detail, nextStep } = explainChatError(error)
    expect(detail).toMatch(/\.$/)
    expect(nextStep).toMatch(/\.$/)
  })
})

describe('the list of channels', () => {
  it('names them with their teams, its own and the public ones', async () => {
    const { channels, nextPage } = await api.listChannels({ page: undefined, limit: 500 })
    expect(nextPage).toBe(undefined)
    const shown = channels.map(({ name, isPrivate, isMember }) => [name, isPrivate, isMember])
    expect(shown).toEqual([
      ['Acme / Town Square', false, true],
      ['Acme / Deployments', false, false],
      ['Platform / Incidents', true, true],
      ['Platform / Infra', false, false],
    ])
  })

  it('marks an archived channel of its own, and leaves those of others out', async () => {
    sandbox.mattermost.archive('Town Square')
    sandbox.mattermost.archive('Deployments')
    const { channels } = await api.listChannels({ page: undefined, limit: 500 })
    expect(channels.map(({ name, isArchived }) => [name, isArchived])).toEqual([
      ['Acme / Town Square', true],
      ['Platform / Incidents', false],
      ['Platform / Infra', false],
    ])
    const { messageId } = await api.post(message('a'), at('Incidents'))
    sandbox.mattermost.archive('Incidents')
    const edit = api.update({ ...at('Incidents'), messageId }, message('b'))
    expect(await reactionTo(edit)).toMatchObject({ detail: 'The channel is archived.' })
    const join = api.join?.(sandbox.mattermost.channelId('Deployments')) ?? Promise.resolve()
    expect(await reactionTo(join)).toMatchObject({ detail: 'The channel is archived.' })
  })

  it('has nothing of a team that was deleted, and no direct message', async () => {
    const answer = (request: string, value: unknown) => {
      const fault = { kind: 'answer', status: 200, body: JSON.stringify(value) } as const
      sandbox.faults.add({ provider: 'mattermost', request, fault })
    }
    answer('GET /users/me/teams', [{ id: 'gone', display_name: 'Gone', delete_at: 1 }])
    expect(await api.listChannels({ page: undefined, limit: 500 })).toMatchObject({ channels: [] })
    const direct = { id: 'd', team_id: '', type: 'D', display_name: 'Ada' }
    answer('GET /channels/d', direct)
    expect(await api.findChannel('d')).toBe(undefined)
  })

  it.each([
    ['http_502', 'did not say whether'],
    ['http_404', 'refused the message'],
  ])('explains %s of an earlier message', (code, detail) => {
    expect(explainCode(code).detail).toContain(detail)
  })

  it('explains a channel of a team that the bot is not in', () => {
    const error = new ProviderError({
      provider: 'mattermost',
      failure: 'forbidden',
      code: 'not_in_team',
    })
    expect(explainChatError(error)).toMatchObject({
      reaction: 'broken',
      detail: expect.stringContaining('isn’t in the team'),
    })
  })

  it('goes on where it ended, and says of a team that is gone that the list has changed', async () => {
    const first = await api.listChannels({ page: undefined, limit: 1 })
    const page = first.nextPage ?? ''
    const second = await api.listChannels({ page, limit: 1 })
    expect(second.channels[0]?.name).toBe('Platform / Incidents')
    expect(second.nextPage).toBe(undefined)
    sandbox.mattermost.leaveTeams()
    await expect(api.listChannels({ page, limit: 1 })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it.each([
    ['Town Square', 'Acme / Town Square', null],
    ['Deployments', 'Acme / Deployments', null],
    ['Releases', null, 'app.channel.get.existing.app_error'],
    ['Old', 'Acme / Old', 'api.post.create_post.can_not_post_to_deleted.error'],
    ['Minutes', 'Minutes', 'not_in_team'],
  ])('checks %s', async (channel, name, refusedWith) => {
    const id = sandbox.mattermost.channelId(channel)
    expect(await api.checkChannel(id)).toEqual({ name, refusedWith })
    expect((await api.findChannel(id))?.name ?? null).toBe(name)
  })

  it.each(['../users/me', 'x?y', ''])('asks for no channel called %j', async (id) => {
    const before = sandbox.log.list().length
    expect(await api.findChannel(id)).toBe(undefined)
    expect(sandbox.log.list()).toHaveLength(before)
  })
})
