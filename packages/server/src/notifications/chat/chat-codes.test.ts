import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatDirectory, ChatSender } from '../../providers/chat/chat.ts'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'
import type { ChatReaction } from '../../providers/chat/chat-dialect.ts'
import { slackCodes } from '../../providers/slack/errors.ts'
import { explainChatError } from '../../providers/chat/chat-dialects.ts'
import { renderNotice } from '../messages/render-notice.ts'
import { openSlack, type SlackWorkspace } from '../testing/open-slack.ts'

let world: SlackWorkspace
let chat: ChatSender & ChatDirectory

beforeAll(async () => {
  world = await openSlack()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  await world.app.test.asOwner('delete from integrations')
  await world.connect()
  chat = await world.openChat(world.app.orgId)
})

const message = renderNotice({ tone: 'success', summary: ['Deployed'] })
const key = '6ba7b810-9dad-51d1-80b4-00c04fd430c8'
const to = (channel = 'general') => ({ channelId: world.sandbox.slack.channelId(channel), key })

type Answer = Partial<{ status: number; headers: Record<string, string>; body: string }>

/** Has Slack answer the next request with this. */
function answer(request: string, { status = 200, headers = {}, body = '' }: Answer) {
  const fault = { kind: 'answer', status, headers, body } as const
  world.sandbox.faults.add({ provider: 'slack', request, fault })
}
const refused = (error: string): Answer => ({ body: JSON.stringify({ ok: false, error }) })

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ProviderError) return error
  throw new Error(`It did not fail as it should: ${String(error)}`)
}

/** Maps the codes that can answer a post to the failure they mean and the reaction that follows. */
const codes: readonly (readonly [ProviderFailure, ChatReaction, readonly string[]])[] = [
  ['notFound', 'broken', ['channel_not_found', 'duplicate_channel_not_found']],
  ['notFound', 'deleted', ['message_not_found', 'thread_not_found', 'duplicate_message_not_found']],
  ['forbidden', 'join', ['not_in_channel']],
  ['forbidden', 'broken', ['missing_scope', 'restricted_action', 'no_permission']],
  ['forbidden', 'broken', ['restricted_action_read_only_channel']],
  ['forbidden', 'broken', ['restricted_action_thread_locked']],
  ['forbidden', 'broken', ['restricted_action_thread_only_channel']],
  ['forbidden', 'broken', ['restricted_action_non_threadable_channel']],
  ['forbidden', 'broken', ['ekm_access_denied', 'access_denied', 'app_access_restricted']],
  ['forbidden', 'broken', ['not_allowed_token_type', 'team_access_not_granted']],
  ['unauthorized', 'reconnect', ['token_revoked', 'account_inactive', 'invalid_auth']],
  ['unauthorized', 'reconnect', ['token_expired', 'not_authed', 'invalid_refresh_token']],
  ['rejected', 'broken', ['is_archived', 'is_inactive']],
  ['rejected', 'shrink', ['msg_too_long', 'msg_blocks_too_long', 'no_text']],
  ['rejected', 'shrink', ['invalid_blocks', 'invalid_blocks_format']],
  ['rejected', 'frozen', ['cant_update_message', 'edit_window_closed']],
  ['ambiguous', 'unclear', ['internal_error', 'fatal_error']],
  ['unavailable', 'retry', ['request_timeout', 'service_unavailable', 'team_added_to_org']],
  ['rateLimited', 'wait', ['ratelimited', 'rate_limited']],
]
const table = codes.flatMap(([failure, reaction, all]) =>
  all.map((code) => [code, failure, reaction] as const),
)

describe('a code of Slack', () => {
  it('is in the table for each that people are told of', () => {
    expect(table.map(([code]) => code).toSorted()).toEqual([...slackCodes].toSorted())
  })

  it.each(table)(
    '%s is %s, and what follows is what its text says',
    async (code, failure, reaction) => {
      answer('POST /chat.postMessage', refused(code))
      const error = await failureOf(chat.post(message, to()))
      const isLimit = failure === 'rateLimited'
      expect([error.failure, error.code]).toEqual([failure, isLimit ? 'ratelimited' : code])
      expect(explainChatError(error).reaction).toBe(reaction)
      expect(error.retryAt === undefined).toBe(!isLimit)
      // One request, whatever it was refused with.
      const posts = world.sandbox.log.list().filter(({ path }) => path.includes('chat.postMessage'))
      expect(posts).toHaveLength(1)
      const isOver = failure === 'unauthorized'
      expect(await world.integration()).toMatchObject({
        state: isOver ? 'reauth_required' : 'connected',
      })
    },
  )

  it('that Slack invents later is refused under its name, and free text under none', async () => {
    answer('POST /chat.postMessage', refused('brand_new_error'))
    expect(await failureOf(chat.post(message, to()))).toMatchObject({
      failure: 'rejected',
      code: 'brand_new_error',
    })
    answer('POST /chat.postMessage', refused('Ask <@U1> for "help"!'))
    expect((await failureOf(chat.post(message, to()))).code).toBe('unknown_error')
  })
})

describe('an answer that does not say what was done', () => {
  const page: Answer = { headers: { 'content-type': 'text/html' }, body: '<html>Sorry</html>' }
  it.each([
    ['a page', page, 'not_json'],
    ['another JSON', { body: '[]' }, 'unknown_answer'],
    ['half an answer', { body: '{"ok":true}' }, 'unknown_answer'],
    ['trouble', { status: 502 }, 'http_502'],
  ] as const)('%s is ambiguous for a post, and unavailable for a question', async (_, of, code) => {
    answer('POST /chat.postMessage', of)
    expect(await failureOf(chat.post(message, to()))).toMatchObject({ failure: 'ambiguous', code })
    answer('GET /conversations.info', of)
    const error = await failureOf(chat.findChannel(to().channelId))
    expect(error).toMatchObject({ failure: 'unavailable', code })
  })

  it.each([
    ['503', { status: 503 }, 'http_503'],
    ['Slack’s own code', refused('service_unavailable'), 'service_unavailable'],
  ] as const)('says by %s that nothing was done', async (_, of, code) => {
    answer('POST /chat.postMessage', of)
    expect(await failureOf(chat.post(message, to()))).toMatchObject({
      failure: 'unavailable',
      code,
    })
  })

  it('is ambiguous when the answer is lost, and the repetition is the same message', async () => {
    const fault = { kind: 'cut' } as const
    world.sandbox.faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
    expect((await failureOf(chat.post(message, to()))).failure).toBe('ambiguous')
    await chat.post(message, to())
    expect(world.sandbox.slack.messages('general')).toHaveLength(1)
  })
})

describe('a limit', () => {
  it('says when to come back', async () => {
    const headers = { 'retry-after': '7' }
    answer('POST /chat.update', { status: 429, headers })
    const reference = { channelId: to().channelId, messageId: '1.000001' }
    const before = world.sandbox.clock.now().getTime()
    const { failure, code, retryAt } = await failureOf(chat.update(reference, message))
    expect([failure, code]).toEqual(['rateLimited', 'ratelimited'])
    const waitMs = (retryAt?.getTime() ?? 0) - before
    expect(waitMs).toBeGreaterThanOrEqual(7_000)
    expect(waitMs).toBeLessThan(12_000)
  })
})

describe('a message', () => {
  it('has its key, its metadata, no previews, and blocks with every change', async () => {
    const reference = await chat.post(message, to())
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Done', verbatim: true } }]
    await chat.update(reference, renderNotice({ tone: 'success', summary: ['Done'] }))
    const answered = { ...to(), key: key.replace('6', '7'), thread: reference }
    await chat.post(message, { ...answered, broadcast: true })
    expect(world.sandbox.slack.messages('general')).toMatchObject([
      {
        text: 'Done',
        blocks,
        clientMsgId: key,
        metadata: { event_type: 'signalbox_notification', event_payload: { key } },
        thread: [{ text: 'Deployed', broadcast: true }],
      },
    ])
    const post = world.sandbox.log.list().find(({ path }) => path.includes('chat.postMessage'))
    expect(JSON.parse(post?.body ?? '')).toMatchObject({ unfurl_links: false, parse: 'none' })
  })

  it('is sent with a token that stands in the header alone', async () => {
    await chat.post(message, to())
    await chat.listChannels({ page: undefined, limit: 10 })
    const calls = world.sandbox.log
      .list()
      .filter(({ path }) => /^.*\/(chat|conversations)\./.test(path))
    expect(calls).toHaveLength(2)
    for (const { headers, path, body } of calls) {
      expect(headers['authorization']).toMatch(/^Bearer xoxb-/)
      expect(path + body).not.toContain('xox')
    }
  })
})

describe('a token that has ended', () => {
  it('is renewed by the clock, and the message arrives', async () => {
    world.sandbox.slack.rotation = true
    await world.connect()
    world.sandbox.clock.advance(13 * 3_600_000)
    await (await world.openChat(world.app.orgId)).post(message, to())
    expect(world.sandbox.slack.messages('general')).toHaveLength(1)
    expect(await world.integration()).toMatchObject({ state: 'connected' })
  })

  it('by the clock of Slack alone is renewed once, and the message arrives', async () => {
    world.sandbox.slack.rotation = true
    await world.connect()
    chat = await world.openChat(world.app.orgId)
    answer('POST /chat.postMessage', refused('token_expired'))
    await chat.post(message, to())
    expect(world.sandbox.slack.messages('general')).toHaveLength(1)
    expect(await world.integration()).toMatchObject({ state: 'connected' })
  })

  it('leads to reauth_required when the renewed one is refused again', async () => {
    world.sandbox.slack.rotation = true
    await world.connect()
    chat = await world.openChat(world.app.orgId)
    const fault = {
      kind: 'answer',
      status: 200,
      body: '{"ok":false,"error":"token_expired"}',
    } as const
    world.sandbox.faults.add({ provider: 'slack', request: 'POST /chat', times: 9, fault })
    expect((await failureOf(chat.post(message, to()))).code).toBe('token_expired')
    expect(await world.integration()).toMatchObject({ state: 'reauth_required' })
    expect(world.sandbox.log.list().filter(({ path }) => path.includes('chat.post'))).toHaveLength(
      2,
    )
  })
})
