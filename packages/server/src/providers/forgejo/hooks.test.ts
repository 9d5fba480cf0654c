import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CodehostHooks, HookReport } from '../codehosts/hooks.ts'
import { openForgejo, type OpenForgejo } from './testing/open-forgejo.ts'
import { parseForgejoEvent } from './webhook-events.ts'
import { parseForgejoIssueEvent } from './issues/webhook-events.ts'
import { forgejoWebhooks } from './webhooks.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const full = ['write:repository', 'read:repository', 'read:user']
const received: Received[] = []

let app: OpenForgejo
let server: Server
let url: string
let shop: ReturnType<OpenForgejo['addShop']>
let hooks: CodehostHooks

beforeAll(async () => {
  app = await openForgejo()
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(202).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/forgejo/int_1`
})
afterAll(async () => {
  await app.close()
  server.close()
})
beforeEach(() => {
  app.sandbox.reset()
  received.length = 0
  shop = app.addShop()
  hooks = hooksOf('ada')
})

function hooksOf(login: string): CodehostHooks {
  const made = app.apiWith(full, login).hooks
  if (made === undefined) throw new Error('The access may write')
  return made
}

const secrets = ['a secret of this connection']
const install = (
  more: Partial<HookReport> & { repositoryIds?: string[]; withIssues?: boolean } = {},
) =>
  hooks.install({
    url,
    secrets,
    hooks: [],
    formerPaths: [],
    repositoryIds: [shop.id],
    withIssues: false,
    ...more,
  })
const there = () => [...shop.repository.hooks.values()]

async function endRun(product: 'forgejo' | 'gitea', status: 'success' | 'failure') {
  app.forgejo.settings.product = product
  const run = app.forgejo.activity.startRun(shop.repository, {
    workflow: { file: 'e2e.yml', name: 'E2E', inputs: [] },
    ref: 'main',
    user: shop.user,
    event: 'workflow_dispatch',
    inputs: { test_run_id: 'run_01j9zq3v7w8x9y0a1b2c3d4e5f' },
  })
  app.forgejo.activity.setRunStatus(shop.repository, run, 'running')
  app.forgejo.activity.setRunStatus(shop.repository, run, status)
  await app.forgejo.hooks.settled()
  return run
}

const headerOf =
  ({ headers }: Received) =>
  (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
const isGenuine = (one: Received, by: readonly string[] = secrets) =>
  forgejoWebhooks.readClaim(headerOf(one), new Date())?.isVerifiedBy(by, one.body) === true

describe('the webhook of a repository', () => {
  it('replaces those of a connection that has ended, and leaves those of others', async () => {
    await install()
    await hooks.install({
      url: url.replace('int_1', 'int_2'),
      secrets,
      hooks: [],
      formerPaths: ['/webhooks/forgejo/int_1'],
      repositoryIds: [shop.id],
      withIssues: false,
    })
    expect(there()).toMatchObject([{ url: expect.stringContaining('int_2') }])
    // Control: what is not known to have ended stays.
    await install()
    expect(there()).toHaveLength(2)
  })

  it('is made once, with a secret that nobody reads back, and kept as it is', async () => {
    const { hooks: refs, problem } = await install()
    expect(problem).toBeNull()
    expect(refs).toEqual([`${shop.id}#${there()[0]?.id}`])
    expect(there()).toMatchObject([{ url, secret: secrets[0], active: true }])
    app.sent.length = 0
    expect((await install({ hooks: refs })).hooks).toEqual(refs)
    expect(app.sent.filter((line) => !line.startsWith('GET'))).toEqual([])
  })

  it.each([
    ['is switched off', { active: false }],
    ['gets other events', { events: ['push'] }],
  ])('is replaced when somebody has changed it: it %s', async (_what, change) => {
    const { hooks: refs } = await install()
    Object.assign(there()[0] ?? {}, change)
    const again = await install({ hooks: refs })
    expect(again.hooks).not.toEqual(refs)
    expect(there()).toMatchObject([{ active: true, secret: secrets[0] }])
    expect(there()[0]?.events).not.toContain('push')
  })

  it('stands beside the webhooks of others, which stay as they are', async () => {
    const { hooks: refs } = await install()
    const [own] = there()
    if (own === undefined) throw new Error('There is no webhook')
    const foreign = { ...own, id: own.id + 1, url: 'https://ci.example.com/hook', events: ['push'] }
    shop.repository.hooks.set(foreign.id, foreign)
    expect((await install({ hooks: refs })).hooks).toEqual(refs)
    await install({ hooks: refs, repositoryIds: [] })
    expect(there()).toEqual([foreign])
  })

  it('is found on the sixth page, behind 260 others', async () => {
    const { hooks: refs } = await install()
    const [own] = there()
    if (own === undefined) throw new Error('There is no webhook')
    shop.repository.hooks.clear()
    for (let id = own.id + 1; id <= own.id + 260; id += 1) {
      shop.repository.hooks.set(id, { ...own, id, url: 'https://ci.example.com/hook' })
    }
    shop.repository.hooks.set(own.id, own)
    expect((await install({ hooks: refs })).hooks).toEqual(refs)
  })

  it('of a former connection is replaced, because its secret can’t be changed', async () => {
    await install({ secrets: ['of a former connection'] })
    await install()
    expect(there()).toMatchObject([{ secret: secrets[0] }])
  })

  it('reports issues as long as their tracker uses the connection, and no comments or labels', async () => {
    const { hooks: refs } = await install()
    const { hooks: withIssues } = await install({ hooks: refs, withIssues: true })
    expect(there()).toMatchObject([{ events: expect.arrayContaining(['issues', 'issue_assign']) }])
    expect(there()[0]?.events).not.toContain('issue_comment')
    app.sent.length = 0
    await install({ hooks: withIssues, withIssues: true })
    expect(app.sent.filter((line) => !line.startsWith('GET'))).toEqual([])
    await install({ hooks: withIssues })
    expect(there()[0]?.events).not.toContain('issues')
  })

  it('goes when the repository is not tracked any more, and when it is gone', async () => {
    const { hooks: refs } = await install()
    expect((await install({ hooks: refs, repositoryIds: [] })).hooks).toEqual([])
    expect(there()).toEqual([])
    const gone = await install()
    app.forgejo.state.repositories.clear()
    expect((await install({ hooks: gone.hooks, repositoryIds: [] })).hooks).toEqual([])
  })

  it('stays known while the person has lost the right to look at it', async () => {
    const { hooks: refs } = await install()
    const { members } = shop.repository
    const right = members.get(shop.user.id)
    members.set(shop.user.id, 'write')
    const without = await install({ hooks: refs })
    expect(without).toMatchObject({
      hooks: refs,
      problem: expect.stringContaining('administrator'),
    })
    members.set(shop.user.id, right ?? 'admin')
    expect(await install({ hooks: without.hooks, repositoryIds: [] })).toMatchObject({ hooks: [] })
    expect(there()).toEqual([])
  })

  it('that a person may not make is said in words, and costs the others nothing', async () => {
    hooks = hooksOf('grace')
    const own = app.forgejo.activity.addRepository({
      fullName: 'grace/own',
      members: { grace: 'admin' },
    })
    const ownId = shop.id.replace(/\d+$/, String(own.id))
    const { hooks: refs, problem } = await install({ repositoryIds: [shop.id, ownId] })
    expect(refs).toHaveLength(1)
    expect(own.hooks.size).toBe(1)
    expect(problem).toContain('doesn’t let this person create webhooks in one repository')
    expect(problem).toContain('administrator of the repository')
  })
})

describe('a webhook of an issue', () => {
  it.each(['forgejo', 'gitea'] as const)('of %s names the issue that changed', async (product) => {
    app.forgejo.settings.product = product
    await install({ withIssues: true })
    const { activity } = app.forgejo
    const issue = activity.openIssue(shop.repository, { title: 'One', author: shop.user })
    activity.editIssue(shop.repository, issue, 'Two')
    activity.assignIssue(shop.repository, issue, shop.user)
    activity.closeIssue(shop.repository, issue)
    await app.forgejo.hooks.settled()
    expect(received).toHaveLength(4)
    for (const one of received) {
      expect(isGenuine(one)).toBe(true)
      const described = forgejoWebhooks.describe(headerOf(one), one.body)
      const { event } = described.type === 'webhook' ? described.subject : { event: '' }
      expect(parseForgejoIssueEvent(event, one.body)).toEqual({
        type: 'issueChanged',
        key: 'acme/shop#1',
        externalId: String(issue.id),
      })
      expect(parseForgejoEvent(event, one.body)).toMatchObject({ type: 'ignored' })
    }
  })

  it('that does not fit, or is of something else, is ignored with a reason', () => {
    const parse = (name: string, body: string) => parseForgejoIssueEvent(name, Buffer.from(body))
    expect(parse('push', '{}')).toMatchObject({ reason: 'Signalbox doesn’t use this event.' })
    expect(parse('issues', '{')).toMatchObject({ reason: 'The body doesn’t fit this event.' })
  })
})

describe('a webhook of a pull request', () => {
  it.each(['forgejo', 'gitea'] as const)(
    'of %s says what it is, from its opening to its end',
    async (product) => {
      app.forgejo.settings.product = product
      await install()
      const { activity, hooks: sender } = app.forgejo
      const { repository, user } = shop
      const pull = activity.openPull(repository, { author: user })
      const first = pull.headSha
      await sender.settled()
      const pushed = activity.pushToPull(repository, pull)
      const steps = [
        () => undefined,
        () => activity.editPull(repository, pull, 'Another title'),
        () => activity.closePull(repository, pull),
        () => activity.reopenPull(repository, pull),
        () => activity.mergePull(repository, pull),
      ]
      for (const step of steps) {
        step()
        await sender.settled()
      }
      const told = received.map((one) => {
        expect(isGenuine(one)).toBe(true)
        const described = forgejoWebhooks.describe(headerOf(one), one.body)
        const { event } = described.type === 'webhook' ? described.subject : { event: '' }
        const read = parseForgejoEvent(event, one.body)
        return read.type === 'pullRequest'
          ? [read.repository.externalId, read.pullRequest.state, read.pullRequest.headSha]
          : [read.type]
      })
      expect(told).toEqual([
        [shop.id, 'open', first],
        [shop.id, 'open', pushed.sha],
        [shop.id, 'open', pushed.sha],
        [shop.id, 'closed', pushed.sha],
        [shop.id, 'open', pushed.sha],
        [shop.id, 'merged', pushed.sha],
      ])
    },
  )

  it('is had by a repository whose webhook was made without it', async () => {
    const { hooks: refs } = await install()
    const [hook] = there()
    const without = (hook?.events ?? []).filter((event) => !event.startsWith('pull_request'))
    Object.assign(hook ?? {}, { events: without })
    await install({ hooks: refs })
    expect(there()).toMatchObject([
      { events: expect.arrayContaining(['pull_request', 'pull_request_sync']) },
    ])
    expect(there()[0]?.events).not.toContain('pull_request_comment')
  })
})

describe('a webhook of a run', () => {
  it.each([
    ['forgejo', 'success', 'passed'],
    ['forgejo', 'failure', 'failed'],
    ['gitea', 'failure', 'failed'],
  ] as const)('of %s that ends as %s is genuine, and read as %s', async (product, end, state) => {
    app.forgejo.settings.product = product
    await install()
    const run = await endRun(product, end)
    const one = received.at(-1)
    if (one === undefined) throw new Error('Nothing arrived')
    expect(isGenuine(one)).toBe(true)
    const described = forgejoWebhooks.describe(headerOf(one), one.body)
    expect(described).toMatchObject({
      type: 'webhook',
      isJson: true,
      subject: {
        deliveryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: product === 'gitea' ? 'workflow_run' : `action_run_${end}`,
        repositoryId: String(shop.repository.id),
      },
    })
    const { event } = described.type === 'webhook' ? described.subject : { event: '' }
    expect(parseForgejoEvent(event, one.body)).toMatchObject({
      type: 'run',
      repository: { externalId: shop.id, fullName: 'acme/shop' },
      run: { externalId: String(run.id), state, workflowId: 'e2e.yml', isRequested: true },
    })
  })

  it('of Forgejo tells ends alone, and carries our id', async () => {
    await install()
    await endRun('forgejo', 'success')
    expect(received).toHaveLength(1)
    const [one] = received
    expect(one && parseForgejoEvent('action_run_success', one.body)).toMatchObject({
      run: { correlation: 'run_01j9zq3v7w8x9y0a1b2c3d4e5f' },
    })
  })

  it.each(['forgejo', 'gitea'] as const)(
    'of %s is of the instance of the connection, at whatever address people reach it',
    async (product) => {
      app.forgejo.settings.product = product
      await install()
      await endRun(product, 'failure')
      const { body } = received.at(-1) ?? { body: Buffer.alloc(0) }
      const event = product === 'gitea' ? 'workflow_run' : 'action_run_failure'
      const account = 'forgejo.internal:3000/code/61'
      expect(parseForgejoEvent(event, body, account)).toMatchObject({
        repository: { externalId: `forgejo.internal:3000/code/${shop.repository.id}` },
      })
    },
  )

  it('is refused with another secret, another body or none', async () => {
    await install()
    await endRun('forgejo', 'success')
    const [one] = received
    if (one === undefined) throw new Error('Nothing arrived')
    expect(isGenuine(one, ['another'])).toBe(false)
    expect(isGenuine(one, [])).toBe(false)
    expect(isGenuine({ ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) })).toBe(false)
  })

  it('is refused where it was made without a secret, though it claims to be signed', async () => {
    await install({ secrets: [''] })
    await endRun('forgejo', 'success')
    const [one] = received
    if (one === undefined) throw new Error('Nothing arrived')
    const forged = createHmac('sha256', '').update(one.body).digest('hex')
    const claimed = { ...one, headers: { ...one.headers, 'x-forgejo-signature': forged } }
    expect(isGenuine(one, [''])).toBe(false)
    expect(isGenuine(claimed, [''])).toBe(false)
  })

  it('is not taken by the headers of other products that it carries as well', async () => {
    await install()
    await endRun('forgejo', 'success')
    const [one] = received
    if (one === undefined) throw new Error('Nothing arrived')
    expect(one.headers).toMatchObject({
      'x-hub-signature-256': expect.stringMatching(/^sha256=/),
      'x-gogs-signature': expect.any(String),
    })
    const foreign = Object.fromEntries(
      Object.entries(one.headers).filter(([name]) => !/^x-(?:forgejo|gitea)-/.test(name)),
    )
    expect(isGenuine({ ...one, headers: foreign })).toBe(false)
  })

  it('that is something else, or no run, is ignored with a reason', () => {
    const parse = (name: string, body: string) => parseForgejoEvent(name, Buffer.from(body))
    expect(parse('push', '{}')).toEqual({
      type: 'ignored',
      reason: 'Signalbox doesn’t use this event.',
    })
    expect(parse('action_run_success', '{')).toMatchObject({
      reason: 'The body is not valid JSON.',
    })
    expect(parse('action_run_success', '{"run":{}}')).toMatchObject({
      reason: 'The body doesn’t fit this event.',
    })
  })

  it('to an address that the instance does not allow is made, and never sent', async () => {
    app.forgejo.settings.allowsLocalHooks = false
    expect((await install()).problem).toBeNull()
    await endRun('forgejo', 'success')
    expect(received).toEqual([])
  })
})
