import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { addOrganization, type ConnectedOrganization } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'

/** The part of a code host of the sandbox that makes one deployment of the shop. */
type CodeHost = Sandbox['github' | 'gitlab']['codeHost']

/** One organization with its three providers, and what is to be seen of its one push. */
interface Mix {
  readonly name: string
  readonly providers: readonly [codehost: string, tracker: string, chat: string]
  /** Connects the tracker or the chat where no consent is asked for. */
  readonly forms: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Names the entries that the person chooses on the consent page. */
  readonly choices?: Partial<Record<(typeof kinds)[number], Readonly<Record<string, string>>>>
  /** Gives the issue another title, as a person does in a tracker that tells at once. */
  readonly retitle?: (title: string) => void
  /** Makes what the code host and the tracker have. */
  readonly prepare: () => void
  readonly settings: {
    readonly chat: object
    readonly codehost?: object
  }
  /** The messages in its channel, each as one text, oldest first. */
  readonly messages: () => readonly string[]
  readonly issue: { readonly key: string; readonly title: string }
  readonly begin: () => Begun
}

interface Begun {
  readonly sha: string
  readonly finish: () => void
}

interface Shown {
  readonly [name: string]: unknown
}
interface Deployment extends Shown {
  readonly id: string
  readonly sha: string
  readonly state: string
  readonly hostEnvironment: string
}

const kinds = ['codehost', 'tracker', 'chat'] as const
// Edits of a message are three seconds apart: what is left is for a machine that is busy.
const within = { timeout: 40_000, interval: 50 }

let sandbox: Sandbox
let service: Connected

beforeAll(async () => {
  sandbox = await startSandbox()
  const { participants } = (await (await fetch(`${sandbox.origin}/control`)).json()) as {
    readonly participants: readonly {
      readonly name: string
      readonly settings: Readonly<Record<string, string>>
    }[]
  }
  service = await openConnected({
    sandbox,
    initialHoldMs: 300,
    more: Object.assign({}, ...participants.map(({ settings }) => settings)),
  })
  const registered = await fetch(`${sandbox.origin}/control/participants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ names: participants.map(({ name }) => name), service: service.apiUrl }),
  })
  if (!registered.ok) throw new Error(`The sandbox refused: ${await registered.text()}`)
})
afterAll(() => service.close())

/** Deploys a commit of the shop to staging, up to where it rolls out. */
function beginAt(host: CodeHost, message: string): Begun {
  host.open(() => ({
    end: 'success',
    durationMs: 0,
    cases: [{ name: 'The basket keeps its currency', seconds: 1, failure: undefined }],
    lastStep: () => Promise.resolve(),
    afterwards() {},
  }))
  const sha = host.push('main', { commits: [{ message, modified: ['src/shop.ts'] }] })
  const deployment = host.begin({
    ref: 'main',
    sha,
    isPushed: true,
    environment: 'staging',
    environmentUrl: 'https://staging.example.com',
  })
  deployment.requestRun()
  deployment.startRun()
  deployment.create()
  deployment.setState('pending', 'Waiting for a runner')
  deployment.setState('in_progress', 'Rolling out')
  return {
    sha,
    finish() {
      deployment.setState('success', 'Live')
      deployment.finishRun('success')
    },
  }
}

/** Deploys a commit of Ada's own repository, which names an issue. */
function beginAtSite(message = 'Fix #1: greet them by name'): Begun {
  const { activity, state } = sandbox.github
  const ada = state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost Ada')
  const site = [...state.repositories.values()].find(({ name }) => name === 'site')
  if (site === undefined) throw new Error('The site is not there')
  const { sha } = activity.push(site, {
    ref: 'main',
    pusher: ada,
    commits: [{ message }],
  })
  const deployment = activity.deploy(site, { ref: 'main', creator: ada, environment: 'staging' })
  const moveTo = (to: 'in_progress' | 'success') =>
    activity.setDeploymentStatus(site, deployment, { state: to, creator: ada })
  moveTo('in_progress')
  return { sha, finish: () => moveTo('success') }
}

function retitleFirst(repository: string, title: string): void {
  const { activity, state } = sandbox.github
  const found = [...state.repositories.values()].find(({ name }) => name === repository)
  const issue = found?.issues.get(1)
  if (found === undefined || issue === undefined) throw new Error('The issue is not there')
  activity.editIssue(found, issue, title)
}

function addSite(): void {
  const { activity, state } = sandbox.github
  const ada = state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost Ada')
  const site = activity.addRepository({ owner: ada, name: 'site' })
  activity.openIssue(site, { title: 'The page greets nobody', author: ada })
}

const mixes: readonly (() => Mix)[] = [
  () => ({
    name: 'Acme',
    providers: ['github', 'linear', 'discord'],
    forms: {},
    settings: {
      chat: { defaultChannelId: sandbox.discord.channelId('deployments') },
      codehost: { testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }] },
    },
    messages: () => sandbox.discord.messages('deployments').map((each) => JSON.stringify(each)),
    issue: { key: 'ABC-2', title: 'Show the delivery date' },
    retitle: (title) => sandbox.linear.editIssue('ABC-2', { title }),
    prepare: () => sandbox.stage.open(),
    begin: () => beginAt(sandbox.github.codeHost, 'ABC-2 Show the date'),
  }),
  () => ({
    name: 'Initech',
    providers: ['github', 'github-issues', 'mattermost'],
    forms: { tracker: {}, chat: { token: sandbox.mattermost.botToken } },
    choices: { codehost: { account: 'ada' } },
    settings: { chat: { defaultChannelId: sandbox.mattermost.channelId('Deployments') } },
    messages: () => sandbox.mattermost.messages('Deployments').map((each) => JSON.stringify(each)),
    issue: { key: 'ada/site#1', title: 'The page greets nobody' },
    retitle: (title) => retitleFirst('site', title),
    prepare: addSite,
    begin: () => beginAtSite(),
  }),
  () => ({
    name: 'Globex',
    providers: ['gitlab', 'jira', 'slack'],
    forms: {},
    settings: {
      chat: { defaultChannelId: sandbox.slack.channelId('deployments') },
      codehost: { testWorkflows: [{ workflowId: 'pipeline', debounceSeconds: 0 }] },
    },
    messages: () => sandbox.slack.messages('deployments').map((each) => JSON.stringify(each)),
    issue: { key: 'ABC-1', title: 'The basket forgets its currency' },
    prepare: () => sandbox.gitlab.codeHost.shop(),
    begin: () => beginAt(sandbox.gitlab.codeHost, 'ABC-1 Keep the currency'),
  }),
]

async function open({ name, providers, forms, choices, settings }: Mix) {
  const organization = name === 'Acme' ? service : await addOrganization(service, name)
  for (const [index, kind] of kinds.entries()) {
    const provider = providers[index] ?? ''
    const values = forms[kind]
    if (values !== undefined) {
      await organization.ask(`POST /integrations/${kind}/connection`, { provider, values })
      continue
    }
    const back = await organization.connect(kind, provider, choices?.[kind])
    expect(back).toEqual({ status: 303, location: expect.stringMatching(`integration=${kind}$`) })
  }
  await organization.ask('PATCH /integrations/chat', settings.chat)
  if (settings.codehost !== undefined) {
    await organization.ask('PATCH /integrations/codehost', settings.codehost)
  }
  return organization
}

const opened = new Map<string, ConnectedOrganization>()
const shas = new Map<string, string>()

const listOf = async (organization: ConnectedOrganization, sha: string) => {
  const { items } = await organization.ask<{ items: Deployment[] }>('GET /deployments')
  return items.filter((each) => each.sha === sha)
}

describe('a push of an organization with', () => {
  it.concurrent.for([
    { providers: 'GitHub, Linear and Discord', at: 0 },
    { providers: 'GitHub, GitHub Issues and Mattermost', at: 1 },
    { providers: 'GitLab, Jira and Slack', at: 2 },
  ])(
    '$providers becomes one deployment, with its issue, and one message that is edited',
    { timeout: 180_000 },
    async ({ at }, { expect }) => {
      const mix = mixes[at]?.()
      if (mix === undefined) throw new Error('There is no such mix')
      const [codehost, tracker, chat] = mix.providers
      mix.prepare()
      const organization = await open(mix)
      opened.set(mix.name, organization)
      for (const [kind, provider] of [
        ['codehost', codehost],
        ['tracker', tracker],
        ['chat', chat],
      ] as const) {
        const state = () => organization.ask<Shown>(`GET /integrations/${kind}`)
        await expect
          .poll(state, within)
          .toMatchObject({ provider, state: 'connected', missingScopes: [] })
      }
      const { syncId } = await organization.ask<Shown>('POST /integrations/codehost/sync')
      const sync = () =>
        organization.ask<Shown>(`GET /integrations/codehost/sync/${String(syncId)}`)
      // From here on the webhooks of every repository stand.
      await expect.poll(sync, within).toMatchObject({ state: 'done', detail: null })

      const { sha, finish } = mix.begin()
      shas.set(mix.name, sha)
      const about = () => mix.messages().filter((text) => text.includes(sha.slice(0, 8)))
      await expect.poll(() => about().length, within).toBe(1)
      const [posted] = about()
      finish()
      const [found] = await listOf(organization, sha)
      const detail = () => organization.ask<Shown>(`GET /deployments/${found?.id}`)
      await expect.poll(detail, within).toMatchObject({ state: 'success' })
      await expect
        .poll(detail, within)
        .toMatchObject({ issues: [{ ...mix.issue, state: 'linked' }], messageState: 'live' })
      if (mix.settings.codehost !== undefined) {
        await expect.poll(detail, within).toMatchObject({ testState: 'passed' })
        await expect.poll(() => about().join(), within).toContain('passed')
      }
      await expect.poll(() => about().join(), within).not.toBe(posted)
      // The first edit may be of the state alone.
      await expect.poll(() => about().join(), within).toContain(mix.issue.title)
      expect(about()).toHaveLength(1)

      if (mix.retitle !== undefined) {
        // The tracker tells at once, long before an issue is looked up again.
        const title = `${mix.issue.title}, at last`
        mix.retitle(title)
        await expect.poll(detail, within).toMatchObject({ issues: [{ ...mix.issue, title }] })
        await expect.poll(() => about().join(), within).toContain(title)
      }
      expect(about()).toHaveLength(1)
      expect(await listOf(organization, sha)).toHaveLength(1)
    },
  )
})

describe('a tracker that removed the application', () => {
  it('is to be connected again, as soon as its webhook says so', async () => {
    const organization = opened.get('Acme')
    const state = () => organization?.ask<Shown>('GET /integrations/tracker')
    await expect.poll(state, within).toMatchObject({ provider: 'linear', state: 'connected' })
    sandbox.linear.removeApp()
    await expect.poll(state, within).toMatchObject({ state: 'reauth_required' })
    // A call that is under way may be refused first.
    const deliveries = async () =>
      (await organization?.ask<{ items: Shown[] }>('GET /webhook-deliveries'))?.items
    await expect
      .poll(deliveries, within)
      .toContainEqual(expect.objectContaining({ event: 'OAuthApp', state: 'done' }))
  })
})

describe('one organization', () => {
  it('sees no deployment of another, and its channel hears of none', async () => {
    expect(shas.size).toBe(mixes.length)
    for (const mixOf of mixes) {
      const { name, messages } = mixOf()
      const organization = opened.get(name)
      const seen = [
        JSON.stringify(await organization?.ask('GET /deployments')),
        JSON.stringify(await organization?.ask('GET /webhook-deliveries')),
        ...messages(),
      ].join()
      const found = [...shas].filter(([, sha]) => seen.includes(sha.slice(0, 8)))
      expect(found.map(([of]) => of)).toEqual([name])
    }
  })
})

describe('the issues of a Forgejo that is not the code host', () => {
  it('are connected on their own, and come to the deployment and its message', async () => {
    const organization = opened.get('Initech')
    const mix = mixes[1]?.()
    if (organization === undefined || mix === undefined) throw new Error('Initech is not there')
    const { codeHost } = sandbox.forgejo
    codeHost.shop()
    codeHost.openIssue('Calculate the tax')
    await organization.ask('DELETE /integrations/tracker')
    // It comes back at the address that Forgejo's application is registered with.
    const back = await organization.connect('tracker', 'forgejo-issues', undefined, 'codehost')
    expect(back).toEqual({ status: 303, location: expect.stringMatching('integration=tracker$') })
    const tracker = () => organization.ask<Shown>('GET /integrations/tracker')
    expect(await tracker()).toMatchObject({
      provider: 'forgejo-issues',
      state: 'connected',
      missingScopes: [],
    })
    await organization.ask('PATCH /integrations/tracker', { projectKeys: ['acme/shop'] })
    const { sha, finish } = beginAtSite('Calculate it at the checkout (acme/shop#1), not #1')
    finish()
    const about = () => mix.messages().filter((text) => text.includes(sha.slice(0, 8)))
    await expect.poll(() => about().join(), within).toContain('Calculate the tax')
    const [found] = await listOf(organization, sha)
    expect(await organization.ask(`GET /deployments/${found?.id}`)).toMatchObject({
      issues: [{ key: 'acme/shop#1', title: 'Calculate the tax', state: 'linked' }],
    })
    expect(about()).toHaveLength(1)

    await organization.ask('DELETE /integrations/tracker')
    await expect.poll(tracker, within).toMatchObject({
      state: 'not_connected',
      revocation: { state: 'not_offered', detail: expect.stringContaining('Applications') },
    })
    // As the person then does: an instance takes no second consent with other rights.
    sandbox.forgejo.revokeGrants()
  })
})

describe('the issues of the GitLab that is the code host', () => {
  it('replace another tracker, and come to the deployment and its message', async () => {
    const organization = opened.get('Globex')
    const mix = mixes[2]?.()
    if (organization === undefined || mix === undefined) throw new Error('Globex is not there')
    const { activity, codeHost } = sandbox.gitlab
    const { project, ada: user } = codeHost.shop()
    codeHost.openIssue('Wrap it as a gift')
    await organization.ask('DELETE /integrations/tracker')
    const tracker = { provider: 'gitlab-issues', values: {} }
    expect(await organization.ask('POST /integrations/tracker/connection', tracker)).toMatchObject({
      state: 'connected',
      connectionOf: 'GitLab',
    })
    // Control: a key of the tracker before is a word like any other now.
    const commits = [{ message: 'Wrap it (#1), not ABC-1', modified: [] }]
    const { sha } = activity.push(project, { branch: 'main', user, commits })
    const deployment = activity.deploy(project, { ref: 'main', environment: 'staging', user })
    activity.setDeploymentStatus(project, deployment, 'success')
    const about = () => mix.messages().filter((text) => text.includes(sha.slice(0, 8)))
    await expect.poll(() => about().join(), within).toContain('Wrap it as a gift')
    const [found] = await listOf(organization, sha)
    expect(await organization.ask(`GET /deployments/${found?.id}`)).toMatchObject({
      issues: [{ key: 'acme/shop#1', title: 'Wrap it as a gift', state: 'linked' }],
    })
    expect(about()).toHaveLength(1)
    await organization.ask('DELETE /integrations/tracker')
    expect(await organization.connect('tracker', 'jira')).toMatchObject({ status: 303 })
  })
})

describe('a GitLab that refuses for now to renew the access', () => {
  const expire = () =>
    service.asOwner(`update integration_credentials c set access_expires_at = now(), retry_at = null
      from integrations i where i.id = c.integration_id and i.provider = 'gitlab'`)

  it('is shown as neither well nor broken, in the words that callers get, until it renews it', async () => {
    const organization = opened.get('Globex')
    if (organization === undefined) throw new Error('Globex is not there')
    const { ask } = organization
    const codehost = () => ask<Shown>('GET /integrations/codehost')
    const overview = async () => JSON.stringify(await ask('GET /overview'))
    const { repositories } = await ask<{ repositories: { id: string }[] }>(
      'GET /integrations/codehost',
    )
    const listOfShop = `GET /integrations/codehost/workflows?repositoryId=${encodeURIComponent(repositories[0]?.id ?? '')}`
    const workflows = () => ask(listOfShop)
    await workflows()
    expect(await overview()).not.toContain('renew')
    sandbox.gitlab.settings.refusesGoodRefreshes = 1
    await expire()
    const words =
      /GitLab refuses to renew Signalbox’s access\. Signalbox tries again at \d\d:\d\d UTC\..*connects GitLab again/
    await expect(workflows()).rejects.toThrow(/424.*renewal_refused/)
    await expect(workflows()).rejects.toThrow(words)
    expect(await codehost()).toMatchObject({
      state: 'renewal_refused',
      retryAt: expect.stringMatching(/Z$/),
      nextStep: expect.stringContaining('connects GitLab again'),
    })
    expect(await overview()).toContain('GitLab refuses to renew the access')
    await expire()
    await workflows()
    expect(await codehost()).toMatchObject({
      state: 'connected',
      retryAt: null,
      health: { lastError: null },
    })
  })

  it('keeps its webhook when it is disconnected meanwhile, which the next connection replaces', async () => {
    const organization = opened.get('Globex')
    if (organization === undefined) throw new Error('Globex is not there')
    const { project } = sandbox.gitlab.codeHost.shop()
    const addresses = () => [...project.hooks.values()].map(({ url }) => url)
    const [former] = addresses()
    sandbox.gitlab.revokeGrants()
    await organization.ask('DELETE /integrations/codehost')
    expect(await organization.connect('codehost', 'gitlab')).toMatchObject({ status: 303 })
    await expect.poll(addresses, within).not.toContain(former)
    await expect.poll(addresses, within).toEqual([expect.stringContaining('/webhooks/gitlab/int_')])
  })
})

describe('an organization that moves to another code host', () => {
  it('keeps its deployments, and goes on with the tracker and the channel that it has', async () => {
    const organization = opened.get('Globex')
    const mix = mixes[2]?.()
    if (organization === undefined || mix === undefined) throw new Error('Globex is not there')
    const { ask } = organization
    const codehost = () => ask<Shown>('GET /integrations/codehost')
    const former = sandbox.gitlab.codeHost.shop().project
    expect(former.hooks.size).toBe(1)
    await ask('DELETE /integrations/codehost')
    await expect.poll(codehost, within).toMatchObject({ revocation: { state: 'revoked' } })
    expect(former.hooks.size).toBe(0)

    const shop = sandbox.forgejo.codeHost.shop()
    expect(await organization.connect('codehost', 'forgejo')).toMatchObject({ status: 303 })
    await expect.poll(() => shop.hooks.size, within).toBe(1)
    expect(await codehost()).toMatchObject({
      provider: 'forgejo',
      state: 'connected',
      repositories: [{ fullName: 'acme/shop', id: expect.stringContaining('/forgejo/') }],
    })

    const commits = [{ message: 'ABC-2 Show the date', modified: [] }]
    const sha = sandbox.forgejo.codeHost.push('main', { commits })
    const { id } = await ask<Deployment>('POST /deployments', {
      repository: 'acme/shop',
      sha,
      ref: 'main',
      environment: 'staging',
      state: 'success',
      externalId: sha,
    })
    const detail = () => ask<Shown>(`GET /deployments/${id}`)
    await expect.poll(detail, within).toMatchObject({
      state: 'success',
      issues: [{ key: 'ABC-2', title: 'Show the delivery date', state: 'linked' }],
    })
    const about = () => mix.messages().filter((text) => text.includes(sha.slice(0, 8)))
    await expect.poll(() => about().join(), within).toContain('Show the delivery date')
    expect(about()).toHaveLength(1)
    expect(await listOf(organization, shas.get('Globex') ?? '')).toHaveLength(1)
  })
})
