import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import {
  createAccessGrants,
  type AccessGrantsDeps,
} from '../../integrations/grants/access-grants.ts'
import { createChatAccess } from '../../integrations/grants/chat-access.ts'
import { createIntegrationHealth } from '../../integrations/health/health.ts'
import type { IntegrationDeps } from '../../integrations/integration-deps.ts'
import { keepConnection } from '../../integrations/connect/keep-connection.ts'
import {
  createOpenChat,
  type OpenChat,
  type OpenProviderDeps,
} from '../../integrations/grants/open-provider.ts'
import { openConnection } from '../../integrations/grants/open-connection.ts'
import { requireReauth } from '../../integrations/grants/require-reauth.ts'
import { createConnectors } from '../../integrations/connect/connectors.ts'
import { sandboxContexts } from '../../integrations/testing/sandbox-contexts.ts'
import { openMemoryGrantLog } from '../../integrations/testing/memory-grant-log.ts'
import { callSlack } from '../../providers/slack/api-call.ts'
import type { SlackMessage } from '../../providers/slack/render-message.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys, type OrganizationKeys } from '../../vault/organization-keys.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { openNotifications, type Notifications } from './open-notifications.ts'

const redirectUri = 'http://127.0.0.1:4400/integrations/chat/oauth/callback'
const author = { type: 'user', id: 'usr_1', name: 'Ada' } as const
const request = { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined }

export interface SlackWorkspace {
  readonly app: Notifications
  readonly sandbox: Sandbox
  readonly egress: Egress
  /** Notifications that go to the pretended Slack, at its time. */
  readonly deps: NotificationDeps
  readonly openChat: OpenChat
  readonly integrations: IntegrationDeps
  /** Posts what Slack is to be sent, past everything that makes a message of it. */
  postAsWritten(channelId: string, content: SlackMessage): Promise<void>
  /** Holds every event that was emitted, committed or not. */
  readonly emitted: string[]
  /** Has consent given; left out: to all that is asked for. */
  connect(scopes?: readonly string[]): Promise<void>
  /** Makes a channel the default one. */
  choose(channel: string): Promise<void>
  integration(): Promise<Record<string, unknown> | undefined>
  close(): Promise<void>
}

/**
 * The pretended Slack behind everything that leads to it, on a real database.
 *
 * @param shared an organization that has its keys already
 */
export async function openSlack(shared?: {
  readonly app: Notifications
  readonly keys: OrganizationKeys
}): Promise<SlackWorkspace> {
  const [app, sandbox] = await Promise.all([shared?.app ?? openNotifications(), startSandbox()])
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const { store } = app.test
  const { orgId } = app
  const now = () => sandbox.clock.now()
  const keys = shared?.keys ?? (await makeKeys(app, now))
  const { slack } = sandbox
  const contextOf = sandboxContexts(sandbox, { egress, now })
  const connectorOf = createConnectors(contextOf)
  const connector = connectorOf('chat')
  if (connector === undefined || connector.way === 'form' || connector.way === 'shared')
    throw new Error('The sandbox has lost its application')
  const emitted: string[] = []
  const integrations: IntegrationDeps = {
    store,
    keys,
    connectorOf,
    stateKey: randomBytes(32),
    publicUrl: () => 'http://127.0.0.1:4400',
    emit: (_tx, event) => {
      emitted.push(event)
      return Promise.resolve()
    },
    now,
  }
  const end: AccessGrantsDeps['requireReauth'] = (integration, of) =>
    requireReauth(integrations, integration, of)
  const chatDeps: OpenProviderDeps = {
    store,
    grants: createAccessGrants({
      store,
      keys,
      now,
      grantLog: openMemoryGrantLog(),
      nodeId: 'node',
      enqueueRenewal: async () => {},
      connectorOf,
      requireReauth: end,
    }),
    contextOf,
    connectorOf,
    emit: integrations.emit,
    now,
    health: createIntegrationHealth({ store, now, onError: () => undefined }),
    requireReauth: end,
  }
  const openChat = createOpenChat(chatDeps)
  return {
    app,
    sandbox,
    egress,
    deps: { ...app.deps, chat: createChatAccess({ openChat, store: app.deps.store }), now },
    openChat,
    integrations,
    emitted,
    async postAsWritten(channelId, content) {
      const { connection } = await openConnection(chatDeps, orgId, 'chat')
      const { call, withAccessToken } = connection
      const apiUrl = sandbox.addresses.slackApi
      const json = { ...content, channel: channelId, parse: 'none', link_names: false }
      const request = { method: 'chat.postMessage', json, answer: z.unknown() }
      await callSlack({ call, apiUrl, withAccessToken }, request)
    },
    async connect(scopes) {
      slack.app.redirectUris = [redirectUri]
      const asked = { state: 's', redirectUri, codeChallenge: undefined }
      const url = new URL(connector.authorizeUrl(asked))
      if (scopes !== undefined) url.searchParams.set('scope', scopes.join(','))
      const code = (await visit(url.href, 'allow', redirectUri)).get('code') ?? ''
      const given = { code, redirectUri, codeVerifier: undefined }
      const connected = await connector.connect(given)
      if (typeof connected === 'string') throw new Error(connected)
      const rejection = await keepConnection(integrations, {
        orgId,
        userId: author.id,
        kind: 'chat',
        connector,
        connected,
        holdAdmin: async () => undefined,
        author,
        request,
      })
      if (rejection !== undefined) throw new Error(rejection)
    },
    async choose(channel) {
      const settings = JSON.stringify({
        defaultChannelId: slack.channelId(channel),
        defaultChannelName: channel,
      })
      await app.test.asOwner(`update integrations set settings = $1 where kind = 'chat'`, [
        settings,
      ])
    },
    async integration() {
      const [row] = await app.test.asOwner(`select * from integrations where kind = 'chat'`)
      return row
    },
    async close() {
      await Promise.all([sandbox.close(), egress.close()])
      await app.close()
    },
  }
}

async function makeKeys(
  { test, orgId }: Notifications,
  now: () => Date,
): Promise<OrganizationKeys> {
  const rootKey = generateRootKey()
  const { store } = test
  await verifyRootKeys(test, [rootKey])
  const keys = createOrganizationKeys({ store, rootKeys: () => [rootKey], now })
  await store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  return keys
}
