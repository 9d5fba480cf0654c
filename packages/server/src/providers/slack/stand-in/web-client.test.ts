import {
  WebClient,
  type ChatPostMessageArguments,
  type ConversationsListResponse,
} from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { connect, consentCode, redirectUri } from './testing/slack-client.ts'

const sandbox = await openSandbox()

const clientWith = (token?: string) =>
  new WebClient(token, {
    slackApiUrl: `${sandbox.addresses.slackApi}/`,
    // As it comes, it sends a POST eleven times (`providers/testing/repeating-clients.test.ts`).
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  })

const post = (client: WebClient, message: ChatPostMessageArguments) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not the one of a window
  client.chat.postMessage(message)

const connected = async (scopes?: string[]) => clientWith((await connect(sandbox, scopes)).token)

describe('the official client', () => {
  it('exchanges a code and learns who it is', async () => {
    const code = await consentCode(sandbox, { scope: 'chat:write' })
    const { clientId, clientSecret } = sandbox.slack.app
    const installed = await clientWith().oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
    })
    const who = await clientWith(installed.access_token).auth.test()
    expect(who).toMatchObject({ ok: true, team: 'Acme', bot_id: 'B0SIGNALBX' })
    expect(who.response_metadata?.scopes).toEqual(['chat:write'])
  })

  it('pages through the channels', async () => {
    const client = await connected()
    for (const number of [1, 2, 3, 4]) sandbox.slack.addChannel({ name: `team-${number}` })
    const names: (string | undefined)[] = []
    const pages = client.paginate('conversations.list', { limit: 2 })
    for await (const page of pages as AsyncIterable<ConversationsListResponse>) {
      names.push(...(page.channels ?? []).map(({ name }) => name))
    }
    expect(names).toEqual(['general', 'deployments', 'old', 'team-1', 'team-2', 'team-3', 'team-4'])
  })

  it('posts, answers in the thread, updates and deletes', async () => {
    const client = await connected()
    const channel = sandbox.slack.channelId('deployments')
    const blocks = [
      { type: 'header' as const, text: { type: 'plain_text' as const, text: 'Deploying' } },
    ]
    const metadata = { event_type: 'deployment', event_payload: { id: 'dep_1' } }
    const { ts = '' } = await post(client, {
      channel,
      text: 'Deploying',
      blocks,
      metadata,
    })
    await post(client, { channel, text: 'Details', thread_ts: ts })
    const updated = await client.chat.update({ channel, ts, text: 'Deployed', blocks })
    expect(updated).toMatchObject({ ok: true, ts, text: 'Deployed' })
    expect(sandbox.slack.messages('deployments')).toMatchObject([
      { ts, text: 'Deployed', blocks, metadata, editCount: 1, thread: [{ text: 'Details' }] },
    ])
    await client.chat.delete({ channel, ts })
    expect(sandbox.slack.messages('deployments')).toEqual([])
  })

  it('understands a refusal', async () => {
    const client = await connected(['chat:write'])
    const channel = sandbox.slack.channelId('deployments')
    await expect(post(client, { channel, text: 'Hello' })).rejects.toMatchObject({
      code: 'slack_webapi_platform_error',
      data: { ok: false, error: 'not_in_channel' },
    })
    await expect(client.conversations.list()).rejects.toMatchObject({
      data: { error: 'missing_scope', needed: 'channels:read', provided: 'chat:write' },
    })
    await expect(clientWith('xoxb-unknown').auth.test()).rejects.toMatchObject({
      data: { error: 'invalid_auth' },
    })
  })

  it('understands the rate limit', async () => {
    sandbox.slack.rateLimit = true
    const client = await connected()
    const channel = sandbox.slack.channelId('deployments')
    await post(client, { channel, text: 'One' })
    await expect(post(client, { channel, text: 'Two' })).rejects.toMatchObject({
      code: 'slack_webapi_rate_limited_error',
      retryAfter: 1,
    })
  })
})
