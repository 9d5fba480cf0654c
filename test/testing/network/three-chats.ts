import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import {
  addOrganization,
  registerAt,
  sandboxVariables,
  setUpOrganization,
  slackWithHistory,
  type ConnectedOrganization,
} from '../../../packages/server/src/start/testing/connect-organization.ts'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { openProofService, type ProofService } from '../proof-service.ts'
import { findFreePort } from './ports.ts'

/** Names a pretended chat as the sandbox does. */
export type ChatName = 'slack' | 'discord' | 'mattermost'

/** One organization with a shop of its own and the chat that it is told in. */
export interface ChatOrganization {
  readonly chat: ChatName
  readonly orgId: string
  readonly shop: Shop
  /** Returns the messages of the channel for deployments, each as text. */
  readonly messages: () => readonly string[]
}

/** The service as a process that may be killed, with an organization for each chat. */
export interface ThreeChats {
  readonly proof: ProofService
  readonly sandbox: Sandbox
  readonly organizations: readonly ChatOrganization[]
  close(): Promise<void>
}

/** Starts the service and the sandbox, and connects three accounts of GitHub, each with another chat. */
export async function openThreeChats(): Promise<ThreeChats> {
  const sandbox = await startSandbox()
  // Webhooks come to the same address after each kill.
  const port = await findFreePort()
  const proof = await openProofService({
    env: {
      ...sandboxVariables(sandbox),
      ...sandbox.settingsOf(['discord', 'mattermost']),
      SIGNALBOX_API_PORT: String(port),
    },
  })
  const close = async () => {
    await proof.close()
    await sandbox.close()
  }
  try {
    return { proof, sandbox, organizations: await connectEach(sandbox, proof), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function connectEach(
  sandbox: Sandbox,
  proof: ProofService,
): Promise<readonly ChatOrganization[]> {
  const { apiUrl, setupUrl } = proof.current()
  await registerAt(sandbox, apiUrl)
  await sandbox.register(apiUrl, ['discord'])
  const first = await setUpOrganization(apiUrl, setupUrl)
  return [
    await tellInSlack(sandbox, first),
    await tellIn(sandbox, await addOrganization({ apiUrl, ...first }, 'Initech'), 'discord'),
    await tellIn(sandbox, await addOrganization({ apiUrl, ...first }, 'Globex'), 'mattermost'),
  ]
}

const ownProviders = [
  ['codehost', 'github'],
  ['tracker', 'jira'],
  ['chat', slackWithHistory],
] as const

async function tellInSlack(
  sandbox: Sandbox,
  organization: ConnectedOrganization,
): Promise<ChatOrganization> {
  const shop = openShop(sandbox)
  for (const [kind, provider] of ownProviders) {
    requireConnected(await organization.connect(kind, provider))
  }
  await choose(organization, sandbox.slack.channelId('deployments'))
  const messages = () => sandbox.slack.messages('deployments').map((each) => JSON.stringify(each))
  return { chat: 'slack', orgId: organization.orgId, shop, messages }
}

const accounts = { discord: 'ada', mattermost: 'grace' } as const

/** Connects the account of a person, without an issue tracker. */
async function tellIn(
  sandbox: Sandbox,
  organization: ConnectedOrganization,
  chat: 'discord' | 'mattermost',
): Promise<ChatOrganization> {
  const { discord, mattermost } = sandbox
  const account = accounts[chat]
  const shop = openShop(sandbox, account)
  requireConnected(await organization.connect('codehost', undefined, { account }))
  if (chat === 'discord') requireConnected(await organization.connect('chat', chat))
  else {
    mattermost.setMember('Deployments', true)
    const values = { token: mattermost.botToken }
    await organization.ask('POST /integrations/chat/connection', { provider: chat, values })
  }
  const shown =
    chat === 'discord'
      ? () => discord.messages('deployments')
      : () => mattermost.messages('Deployments')
  const channelId =
    chat === 'discord' ? discord.channelId('deployments') : mattermost.channelId('Deployments')
  await choose(organization, channelId)
  const messages = () => shown().map((each) => JSON.stringify(each))
  return { chat, orgId: organization.orgId, shop, messages }
}

function requireConnected(back: { readonly status: number; readonly location: string }): void {
  if (back.status !== 303) throw new Error(`It was not connected: ${JSON.stringify(back)}`)
}

/** Has messages sent to a channel, and `e2e.yml` test what is deployed. */
async function choose({ ask }: ConnectedOrganization, defaultChannelId: string): Promise<void> {
  await ask('PATCH /integrations/chat', { defaultChannelId })
  await ask('PATCH /integrations/codehost', {
    testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
  })
}
