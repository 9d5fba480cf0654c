import { randomUUID } from 'node:crypto'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { findLack } from '../capability.ts'
import type { ChatMessage } from '../chat/chat-message.ts'
import type { ProviderContext } from '../context.ts'
import { slack } from './index.ts'

const redirectUri = 'http://127.0.0.1:4400/integrations/chat/oauth/callback'
const message: ChatMessage = {
  tone: 'success',
  summary: ['Deployed to staging'],
  headline: ['Deployed to staging'],
  links: [],
  facts: [['shop']],
  actions: [],
  sections: [],
  footer: [],
}

let sandbox: Sandbox
let egress: Egress

beforeAll(async () => {
  sandbox = await startSandbox()
  egress = createEgress({ allow: ['127.0.0.1'] })
})
beforeEach(() => sandbox.reset())
afterAll(async () => {
  await Promise.all([sandbox.close(), egress.close()])
})

/** Connects as a person does who chose more access, or did not, and opens the calls, as if `without` had not been granted. */
async function open(level?: 'full', without?: string) {
  const { app } = sandbox.slack
  app.redirectUris = [redirectUri]
  const { clientId, clientSecret, signingSecret } = app
  const application = { values: { clientId, clientSecret }, webhookSecrets: [signingSecret] }
  const now = () => sandbox.clock.now()
  const { slackWeb, slackApi } = sandbox.addresses
  const context: ProviderContext = {
    addresses: { web: slackWeb, api: slackApi },
    application: () => application,
    egress,
    now,
  }
  const connector = slack.openConnector(context, application)
  if (connector.way === 'form' || connector.way === 'shared') throw new Error('It has no consent.')
  const asked = { state: 's', redirectUri, codeChallenge: undefined, level }
  const code = (await visit(connector.authorizeUrl(asked), 'allow', redirectUri)).get('code') ?? ''
  const connected = await connector.connect({ code, redirectUri, codeVerifier: undefined })
  if (typeof connected === 'string' || connected.account === undefined) throw new Error('Refused')
  const { account, grant } = connected
  const scopes = connected.scopes.filter((scope) => scope !== without)
  const calls = slack.openCalls(context)({
    account,
    scopes,
    call: { provider: 'slack', egress, now },
    withAccessToken: (send) => send(grant?.accessToken ?? ''),
    requireConnected: () => Promise.resolve(),
    refreshAccess: () => Promise.resolve(undefined),
  })
  if (calls === undefined) throw new Error('Slack cannot be called.')
  return { calls, scopes }
}

/** Posts into a channel, and returns what looks for the message. */
async function postAndLook(channel: string) {
  const { calls } = await open('full')
  const channelId = sandbox.slack.channelId(channel)
  const [key, since] = [randomUUID(), sandbox.clock.now()]
  const look = (of: object = {}) => calls.find?.({ channelId, key, since, ...of })
  return {
    calls,
    channelId,
    key,
    since,
    look,
    reference: await calls.post(message, { channelId, key }),
  }
}

describe('the history of channels', () => {
  it('is asked for only where a person chooses so, and lost messages are looked for only then', async () => {
    const [less, more] = [await open(), await open('full')]
    const history = ['channels:history', 'groups:history']
    expect(less.scopes.filter((scope) => history.includes(scope))).toEqual([])
    expect(more.scopes).toEqual(expect.arrayContaining(history))
    expect(['find' in less.calls, less.calls.capabilities.repeatMs]).toEqual([false, 30_000])
    expect(['find' in more.calls, more.calls.capabilities.repeatMs]).toEqual([true, 0])
    expect(findLack(slack, less.scopes, 'findMessages')).toMatchObject({
      detail: expect.stringContaining('waits for a person'),
      nextStep: 'Connect Slack again with more access.',
    })
    expect(findLack(slack, more.scopes, 'findMessages')).toBeUndefined()
  })

  it('is not relied on where one of its two scopes was not granted', async () => {
    const { calls, scopes } = await open('full', 'groups:history')
    expect('find' in calls).toBe(false)
    expect(findLack(slack, scopes, 'findMessages')).toBeDefined()
  })
})

describe('a repetition without the history', () => {
  it('comes well within the time for which Slack is assumed to know a key', async () => {
    const { calls } = await open()
    expect(calls.capabilities.repeatMs).toBeLessThan(sandbox.slack.clientMsgIdWindowMs - 10_000)
  })
})

describe('a message whose answer was lost', () => {
  it('is found by its key among everything that was written since, in any channel that the bot is in', async () => {
    for (const channel of ['general', 'releases']) {
      sandbox.slack.invite(channel)
      for (let said = 0; said < 30; said += 1) sandbox.slack.say(channel, 'ada', 'Hello')
      const { look, reference } = await postAndLook(channel)
      for (let said = 0; said < 250; said += 1) sandbox.slack.say(channel, 'ada', 'Hello')
      expect(await look()).toEqual(reference)
      expect(await look({ key: randomUUID() })).toBeUndefined()
    }
  })

  it('is found in its thread, which the channel doesn’t show', async () => {
    sandbox.slack.invite('general')
    const { calls, channelId, since, reference: thread } = await postAndLook('general')
    const key = randomUUID()
    const look = (of: object) => calls.find?.({ channelId, key, since, ...of })
    expect(await look({ thread })).toBeUndefined()
    const reply = await calls.post(message, { channelId, key, thread })
    expect(await look({ thread })).toEqual(reply)
    expect(await look({})).toBeUndefined()
  })

  it('is found where Slack’s clock is behind, and not where somebody else copied its key', async () => {
    sandbox.slack.invite('general')
    const { look, key, since, reference } = await postAndLook('general')
    expect(await look({ since: new Date(since.getTime() + 30_000) })).toEqual(reference)
    const metadata = { event_type: 'signalbox_notification', event_payload: { key } }
    const body = { ok: true, messages: [{ ts: '1.000001', user: 'U0ADA00001', metadata }] }
    const request = 'GET /conversations.history'
    const fault = { kind: 'answer', status: 200, body: JSON.stringify(body) } as const
    sandbox.faults.add({ provider: 'slack', request, fault })
    expect(await look()).toBeUndefined()
    expect(await look()).toEqual(reference)
  })

  it('is looked for once the bot is in the channel, which it may enter', async () => {
    const { calls, channelId, look, reference } = await postAndLook('general')
    await expect(look()).rejects.toMatchObject({ failure: 'forbidden', code: 'not_in_channel' })
    await calls.join?.(channelId)
    expect(await look()).toEqual(reference)
  })

  it('is not called absent where more was written than is read', async () => {
    sandbox.slack.invite('general')
    const { look } = await postAndLook('general')
    for (let said = 0; said < 4_000; said += 1) sandbox.slack.say('general', 'ada', 'Hello')
    await expect(look()).rejects.toMatchObject({
      failure: 'unavailable',
      code: 'too_much_written',
    })
  })
})
