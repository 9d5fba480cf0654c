import { randomUUID } from 'node:crypto'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { sandboxContexts } from '../../integrations/testing/sandbox-contexts.ts'
import type { ChatDirectory, ChatSender } from '../../providers/chat/chat.ts'
import type { Connector } from '../../providers/connector.ts'
import { providersOfKind } from '../../providers/find-provider.ts'
import type { ChatProvider } from '../../providers/provider.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { openNotifications, type Notifications } from '../testing/open-notifications.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { refreshNotifications } from './refresh-notification.ts'
import { sweepNotifications } from './release-notifications.ts'
import { sendNotification } from './send-notification.ts'

type Chat = ChatSender & ChatDirectory

/** Describes a pretended chat: its channel, the request that posts, and how long the engine waits for it. */
interface PretendedChat {
  readonly post: string
  readonly channelId: () => string
  readonly messages: () => readonly unknown[]
  /** Lets the next step be due, in seconds: a repeat in Slack, and a look in the others, once they have forgotten the key. */
  readonly nextStepSeconds: number
}

const redirectUri = 'http://127.0.0.1:4400/integrations/chat/oauth/callback'
let test: TestStore
let sandbox: Sandbox
let egress: Egress
let app: Notifications

const chats: Readonly<Record<string, PretendedChat>> = {
  slack: {
    post: 'POST /chat.postMessage',
    channelId: () => sandbox.slack.channelId('deployments'),
    messages: () => sandbox.slack.messages('deployments'),
    nextStepSeconds: 10,
  },
  discord: {
    post: 'POST /channels/',
    channelId: () => sandbox.discord.channelId('deployments'),
    messages: () => sandbox.discord.messages('deployments'),
    nextStepSeconds: 300,
  },
  mattermost: {
    post: 'POST /posts',
    channelId: () => sandbox.mattermost.channelId('Town Square'),
    messages: () => sandbox.mattermost.messages('Town Square'),
    nextStepSeconds: 40,
  },
}

beforeAll(async () => {
  ;[test, sandbox] = await Promise.all([openTestStore(), startSandbox()])
  egress = createEgress({ allow: ['127.0.0.1'] })
})
beforeEach(async () => {
  sandbox.reset()
  app = await openNotifications(test)
  app.clock = sandbox.clock.now()
})
afterAll(async () => {
  await Promise.all([sandbox.close(), egress.close()])
  await test.close()
})

const now = () => sandbox.clock.now()

/** Connects a chat as a person does, and opens its calls. */
async function open(provider: ChatProvider): Promise<Chat> {
  const context = sandboxContexts(sandbox, { egress, now })(provider.name)
  const application = context.application()
  if (application === undefined) throw new Error('The sandbox has no application of this server')
  for (const { app: registered } of [sandbox.slack, sandbox.discord]) {
    registered.redirectUris = [redirectUri]
  }
  const { account, grant, scopes } = await connect(provider.openConnector(context, application))
  const chat = provider.openCalls(context)({
    account: account ?? { id: '', name: '', url: null },
    scopes,
    call: { provider: provider.name, egress, now },
    withAccessToken: (send) => send(grant?.accessToken ?? ''),
    requireConnected: () => Promise.resolve(),
    refreshAccess: () => Promise.resolve(undefined),
  })
  if (chat === undefined) throw new Error('It has no calls')
  return chat
}

async function connect(connector: Connector) {
  if (connector.way === 'shared') throw new Error('A chat shares no connection')
  if (connector.way === 'form') {
    const connected = await connector.connect({ token: sandbox.mattermost.botToken })
    if ('refusedField' in connected) throw new Error(connected.detail)
    return connected
  }
  const url = connector.authorizeUrl({ state: 's', redirectUri, codeChallenge: undefined })
  const code = (await visit(url, 'allow', redirectUri)).get('code') ?? ''
  const connected = await connector.connect({ code, redirectUri, codeVerifier: undefined })
  if (typeof connected === 'string') throw new Error(connected)
  return connected
}

/** Deploys once, with the first post lost, and sends until nothing is due. Returns how many messages there are. */
async function deployWithFault(
  provider: ChatProvider,
  kind: 'drop' | 'cut',
  change: (chat: Chat) => Chat = (chat) => chat,
) {
  const { name } = provider
  const pretended = chats[name]
  if (pretended === undefined) throw new Error(`${name} is not pretended`)
  const chat = change(await open(provider))
  app.connection = {
    integrationId: 'int_1',
    provider: name,
    state: 'connected',
    defaultChannelId: pretended.channelId(),
  }
  const access = { ...app.deps.chat, open: () => Promise.resolve(chat) }
  const deps = { ...app.deps, chat: access, now }
  const before = pretended.messages().length
  const id = await app.addDeployment('success')
  await refreshNotifications(deps, refreshOf(app.orgId, id))
  sandbox.faults.add({ provider: name as 'slack', request: pretended.post, fault: { kind } })
  for (let round = 0; round < 6; round += 1) {
    sandbox.clock.advance(pretended.nextStepSeconds * 1_000)
    app.queued.splice(0)
    await sweepNotifications(deps)
    for (const { orgId, id: due } of app.queued.splice(0)) {
      await sendNotification(deps, { orgId, id: due })
    }
  }
  expect(sandbox.faults.list()).toEqual([])
  return { row: await app.rowOf(id), count: pretended.messages().length - before }
}

describe('a post whose answer is lost', () => {
  it.each(providersOfKind('chat').map((provider) => ({ provider, name: provider.displayName })))(
    'is one message in $name, whether it arrived or not',
    async ({ provider }) => {
      for (const kind of ['cut', 'drop'] as const) {
        const { row, count } = await deployWithFault(provider, kind)
        expect([kind, count, row]).toMatchObject([kind, 1, { state: 'live', first_tried_at: null }])
      }
    },
  )

  it.each(providersOfKind('chat').map((provider) => ({ provider, name: provider.displayName })))(
    'control: is there twice in $name under another key, without a look',
    async ({ provider }) => {
      const { count } = await deployWithFault(provider, 'cut', (chat) => ({
        ...chat,
        // It is repeated as long as the test takes, and never looked for.
        capabilities: { ...chat.capabilities, repeatMs: 3_600_000 },
        post: (message, to) => chat.post(message, { ...to, key: randomUUID() }),
      }))
      expect(count).toBe(2)
    },
  )
})
