import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  exampleClient,
  startPretendChat,
  type PretendChat,
} from '../providers/testing/example-chat/pretend-server.ts'
import { startPretendServer } from '../providers/testing/pretend-server.ts'
import { startSandbox } from '@signalbox/sandbox'
import { openConnected, type Connected } from './testing/open-connected.ts'
import {
  startPretendHost,
  type PretendHost,
  type StartInputs,
} from '../providers/testing/example-host/pretend-host.ts'

// A provider is a folder and a line of the service: this stands for the line.
vi.mock(import('../providers/registry.ts'), async (importOriginal) => {
  const registry = await importOriginal()
  const { exampleChat } = await import('../providers/testing/example-chat/index.ts')
  const { exampleHost } = await import('../providers/testing/example-host/index.ts')
  return { ...registry, providers: [...registry.providers, exampleChat, exampleHost] }
})

let chat: PretendChat
let host: PretendHost
let service: Connected

beforeAll(async () => {
  ;[chat, host] = await Promise.all([startPretendChat(), startPretendHost(testShop)])
  const sandbox = await startSandbox()
  const hostOf = (url: string) => new URL(url).host
  service = await openConnected({
    sandbox,
    initialHoldMs: 300,
    more: {
      SIGNALBOX_EXAMPLE_CHAT_URL: chat.url,
      SIGNALBOX_EXAMPLE_HOST_URL: host.url,
      SIGNALBOX_EGRESS_ALLOW: [host.url, chat.apiUrl].map(hostOf).join(),
      ...sandbox.settingsOf(['discord']),
    },
  })
})
afterAll(async () => {
  await service.close()
  await Promise.all([chat.close(), host.close()])
})

/** Tests what was deployed, and uploads the report, as the pipeline of the shop does. */
async function testShop({ test_run_id: run }: StartInputs): Promise<void> {
  const { secret } = await service.ask<{ secret: string }>('POST /api-keys', {
    name: `ci ${run}`,
    kind: 'm2m',
  })
  const tests = [{ name: 'The basket keeps its currency', status: 'passed', duration: 1 }]
  const { orgId, apiUrl } = service
  const answer = await fetch(`${apiUrl}/organizations/${orgId}/test-runs/${run}/report`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ results: { tests } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Reports a state of a deployment as the pipeline of a host without deployments does. */
const report = (sha: string, state: string) =>
  service.ask('POST /deployments', {
    repository: 'acme/shop',
    sha,
    ref: 'main',
    environment: 'staging',
    state,
    externalId: sha,
  })
const notify = (event: string, about: string) =>
  chat.notify(`${service.apiUrl}/webhooks/example-chat`, event, about)
const delivery = async (event: string) => {
  const { items } = await service.ask<{ items: Shown[] }>('GET /webhook-deliveries')
  return items.find((item) => item['event'] === event)
}

interface Shown {
  readonly [name: string]: unknown
}
const getChat = () => service.ask<Shown>('GET /integrations/chat')
const within = { timeout: 40_000, interval: 100 }

/** Asks what belongs to the server and to no organization, as its owner. */
async function askServer(request: string, body?: object): Promise<{ items: Shown[] } & Shown> {
  const [method = 'GET', path = ''] = request.split(' ')
  const answer = await fetch(`${service.apiUrl}${path}`, {
    method,
    headers: {
      cookie: service.session,
      origin: service.apiUrl,
      'x-requested-by': 'dashboard',
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** These build on each other, as the afternoon of whoever brings a second chat does. */
describe('a provider that is one folder and one line', () => {
  it('is registered by the form that its own fields make', async () => {
    const { items } = await askServer('GET /server/provider-apps')
    const empty = items.find(({ provider }) => provider === 'example-chat')
    expect(empty).toMatchObject({
      displayName: 'Example Chat',
      isSetUp: false,
      registerUrl: `${chat.url}/apps/new`,
      callbackUrl: `${service.apiUrl}/integrations/chat/oauth/callback`,
      webhookUrl: `${service.apiUrl}/webhooks/example-chat`,
      fields: [
        { name: 'clientId', isSecret: false },
        { name: 'clientSecret', isSecret: true },
      ],
    })
    const stored = await askServer('PUT /server/provider-apps/example-chat', {
      provider: 'example-chat',
      ...exampleClient,
    })
    expect(stored).toMatchObject({ isSetUp: true, source: 'stored', acceptsWebhooks: true })
  })

  it('makes no other one the chat of an organization that has connected none', async () => {
    expect(await getChat()).toMatchObject({
      displayName: 'Chat',
      isSetUp: true,
      choices: expect.arrayContaining([
        expect.objectContaining({ provider: 'slack', displayName: 'Slack' }),
        expect.objectContaining({ provider: 'example-chat', displayName: 'Example Chat' }),
      ]),
    })
    const overview = JSON.stringify(await service.ask('GET /overview'))
    expect(overview).toContain('"Connect a chat"')
    expect(overview).not.toContain('Slack')
  })

  it('is connected by its name, and shown as itself', async () => {
    const back = await service.connect('chat', 'example-chat')
    expect(back).toEqual({ status: 303, location: '/?integration=chat' })
    expect(await getChat()).toMatchObject({
      provider: 'example-chat',
      displayName: 'Example Chat',
      icon: { letters: 'EX', hue: 150 },
      state: 'connected',
      isSetUp: true,
      missingScopes: [],
      workspace: { id: 'W1', name: 'Acme talks', url: 'https://chat.example.com/W1' },
    })
  })

  it('is called nowhere while the only address that it told of is one that no call may go to', async () => {
    const forbidden = await startPretendServer(() => ({ status: 200 }))
    expect((await notify('moved', forbidden.url)).status).toBe(202)
    await expect
      .poll(() => delivery('moved'), within)
      .toMatchObject({
        state: 'ignored',
        reason: 'Signalbox may not call the address it names.',
      })
    await expect(service.ask('GET /integrations/chat/channels')).rejects.toThrow('provider_error')
    await forbidden.close()
  })

  it('is called where its event says, and lists its channels there', async () => {
    await notify('moved', chat.apiUrl)
    const channels = () =>
      service
        .ask<{ items: Shown[] }>('GET /integrations/chat/channels')
        .then(({ items }) => items.map(({ name }) => name))
        .catch(() => [])
    await expect.poll(channels, within).toEqual(['general', 'releases'])
  })

  it('tells in one message of a push to a code host without deployments, from the deployment to the tests', async () => {
    const values = { token: host.token }
    await service.ask('POST /integrations/codehost/connection', {
      provider: 'example-host',
      values,
    })
    await service.ask('PATCH /integrations/chat', { defaultChannelId: 'releases' })
    const testWorkflows = [{ workflowId: 'e2e.yml', debounceSeconds: 0 }]
    await service.ask('PATCH /integrations/codehost', { testWorkflows })
    const status = () => service.ask<Shown>('GET /integrations/codehost')
    await expect.poll(status, within).toMatchObject({ repositories: [{ fullName: 'acme/shop' }] })
    const sha = host.push('Keep the currency')
    await report(sha, 'in_progress')
    const messages = () => chat.messages.filter(({ text }) => text.includes(sha.slice(0, 8)))
    await expect.poll(() => messages()[0]?.channelId, within).toBe('releases')
    await report(sha, 'success')
    await expect.poll(() => messages()[0]?.text, within).toContain('passed')
    expect(messages()).toHaveLength(1)
    expect(messages()[0]?.text).toContain('Keep the currency')
    expect(service.sandbox.slack.messages('deployments')).toEqual([])
  })

  it('says in its own words why a message is refused, and hears of it by its webhooks', async () => {
    const [, releases] = chat.channels
    if (releases === undefined) throw new Error('The workspace has lost its channels')
    releases.open = false
    expect((await notify('channel_closed', 'releases')).status).toBe(202)
    const health = async () => (await getChat())['defaultChannelHealth']
    await expect.poll(health, within).toEqual({
      state: 'broken',
      code: 'channel_closed',
      reason: 'The channel is closed in Example Chat.',
      nextStep: 'Open it there, or choose another one.',
      lastDeliveredAt: expect.any(String),
    })
    await expect
      .poll(() => delivery('channel_closed'), within)
      .toMatchObject({
        provider: 'example-chat',
        displayName: 'Example Chat',
        state: 'done',
      })
  })

  it('proves its webhooks by the keys that it publishes at the moment, and by no other', async () => {
    const statusOf = async () => (await notify('ping', 'general')).status
    chat.replaceKey(false)
    expect(await statusOf()).toBe(401)
    chat.replaceKey(true)
    expect(await statusOf()).toBe(202)
  })

  it('is found by the search and named on the front page as people write it', async () => {
    const found = JSON.stringify(await service.ask('GET /search?query=example'))
    expect(found).toContain('Example Chat')
    await report(host.push('Round prices'), 'success')
    const overview = async () => JSON.stringify(await service.ask('GET /overview'))
    await expect.poll(overview, within).toContain('The channel is closed in Example Chat.')
    expect(await overview()).toContain('Choose a channel in Example Chat')
    expect(await overview()).not.toContain('Slack')
  })
})

describe('a connection is begun', () => {
  const authorize = async (query: string) => {
    const { url } = await service.ask<{ url: string }>(`GET /integrations/${query}`)
    return url
  }

  it('with the provider that is named', async () => {
    expect(await authorize('chat/oauth/authorize?provider=example-chat')).toContain(chat.url)
    const { slackWeb } = service.sandbox.addresses
    expect(await authorize('chat/oauth/authorize?provider=slack')).toContain(slackWeb)
  })

  it('with the only one that is set up, where none is named', async () => {
    const { githubWeb } = service.sandbox.addresses
    expect(await authorize('codehost/oauth/authorize')).toContain(githubWeb)
  })

  it('with none where several are set up and none is named: their names are told', async () => {
    const refused = /400 .*"invalid_query".*Use one of slack,.* example-chat\..*"\?provider"/
    await expect(authorize('chat/oauth/authorize')).rejects.toThrow(refused)
  })

  it.each(['nobody', 'github'])('with none by the name %s', async (name) => {
    const refused = /400 .*No chat is called .*Use one of slack,.* example-chat\./
    await expect(authorize(`chat/oauth/authorize?provider=${name}`)).rejects.toThrow(refused)
  })
})

describe('Discord beside them', () => {
  it('passes the checks of its address of events, which change nothing', async () => {
    const { discord } = service.sandbox
    await discord.events.setUrl(`${service.apiUrl}/webhooks/discord`)
    expect(await discord.events.send('APPLICATION_DEAUTHORIZED', { user: { id: '1' } })).toBe(204)
    expect(await discord.events.probe()).toBe(401)
    const listed = async () =>
      (await service.ask<{ items: Shown[] }>('GET /webhook-deliveries')).items
    // It names no server, and with it no organization.
    expect((await listed()).filter(({ provider }) => provider === 'discord')).toEqual([])
  })

  it('takes the place of a chat that is disconnected, and gets the messages', async () => {
    const { discord } = service.sandbox
    await service.sandbox.register(service.apiUrl, ['discord'])
    await service.ask('DELETE /integrations/chat')
    expect(await service.connect('chat', 'discord')).toMatchObject({ status: 303 })
    expect(await getChat()).toMatchObject({
      displayName: 'Discord',
      state: 'connected',
      workspace: { id: discord.guild().id, name: 'Acme' },
    })
    await service.ask('PATCH /integrations/chat', {
      defaultChannelId: discord.channelId('deployments'),
    })
    await service.ask('POST /integrations/chat/test')
    await expect.poll(() => discord.messages('deployments').length, within).toBe(1)
    await service.ask('DELETE /integrations/chat')
    await expect.poll(() => discord.guild().botRoles, within).toBeUndefined()
  })
})
