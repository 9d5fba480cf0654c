import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { createApp, createAppCredentials } from '../create-app.ts'
import type { GithubInstallation, GithubRepository } from '../state.ts'
import { createGithubClient } from '../testing/github-client.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'

const sandbox = await openSandbox()
const client = createGithubClient(sandbox)
let receiver: Receiver
let shop: GithubRepository

beforeEach(async () => {
  receiver = await startReceiver()
  sandbox.github.app.webhookUrl = receiver.url
  shop = addRepository('shop')
})
afterEach(async () => {
  await sandbox.github.hooks.settled()
  await receiver.close()
})

function addRepository(name: string): GithubRepository {
  const owner = sandbox.github.state.accounts.get('acme')
  if (owner === undefined) throw new Error('There is no acme.')
  return sandbox.github.activity.addRepository({ owner, name })
}

/** Returns what happens in the shop, under this name. */
function happens(name = 'push', numbers: readonly number[] = [1]): void {
  for (const number of numbers) {
    sandbox.github.hooks.emit({ name, repository: shop, payload: { number } })
  }
}

/** The numbers of what arrived, as `happens` gave them. */
const arrived = () =>
  receiver.received.flatMap(({ event, body }) => (event === 'push' ? [body['number']] : []))

const settled = () => sandbox.github.hooks.settled()

const asApp = (request: string, body?: unknown) =>
  client.api(request, { token: client.jwt(), ...(body !== undefined && { body }) })

interface Item {
  readonly id: number
  readonly guid: string
  readonly redelivery: boolean
}

const listed = async (query = '') =>
  (await asApp(`GET /app/hook/deliveries${query}`)).body as readonly Item[]

async function install(): Promise<GithubInstallation> {
  const installation = sandbox.github.install({ account: 'acme' })
  await settled()
  return installation
}

describe('a webhook', () => {
  it('says in its headers what it is and from where, and is signed over its bytes', async () => {
    const { app } = sandbox.github
    const { id } = await install()
    happens()
    await settled()
    const [, push] = receiver.received
    expect(push?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\/[0-9a-f]{7}$/),
      'x-github-event': 'push',
      'x-github-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-github-hook-id': String(app.hookId),
      'x-github-hook-installation-target-id': String(app.id),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature-256': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    })
    expect(push?.body).toEqual({ installation: { id, node_id: expect.any(String) }, number: 1 })
    expect(push?.isSignedWith(app.webhookSecret)).toBe(true)
    expect(push?.isSignedWith('another secret')).toBe(false)
  })

  it('comes as a form when the app wants that, signed over the form', async () => {
    await install()
    await asApp('PATCH /app/hook/config', { content_type: 'form' })
    happens('push', [7])
    await settled()
    const push = receiver.received.at(-1)
    expect(push?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(push?.raw).toMatch(/^payload=%7B/)
    expect(push?.body).toMatchObject({ number: 7 })
    expect(push?.isSignedWith(sandbox.github.app.webhookSecret)).toBe(true)
  })

  it('is not signed when the app has no secret', async () => {
    await asApp('PATCH /app/hook/config', { secret: '' })
    await settled()
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-hub-signature-256')
  })

  it('comes for repositories that were given, while the installation is not suspended', async () => {
    addRepository('blog')
    const installation = sandbox.github.install({ account: 'acme', repositories: ['blog'] })
    happens('push', [1])
    sandbox.github.install({ account: 'acme', repositories: ['shop'] })
    happens('push', [2])
    sandbox.github.installations.suspend(installation)
    happens('push', [3])
    sandbox.github.installations.unsuspend(installation)
    happens('push', [4])
    await settled()
    expect(new Set(arrived())).toEqual(new Set([2, 4]))
  })

  it('comes for events that the app listens to', async () => {
    await install()
    happens('star')
    await settled()
    expect(receiver.events()).toEqual(['installation'])
  })

  it('shows what was so when it happened', async () => {
    await install()
    const payload = { names: ['one'] }
    sandbox.github.hooks.emit({ name: 'push', repository: shop, payload })
    payload.names.push('two')
    await settled()
    expect(receiver.received.at(-1)?.body).toMatchObject({ names: ['one'] })
  })

  it.each([
    'http://192.0.2.1/hooks',
    'http://example.com/',
    'https://127.0.0.1/',
    'http://127.evil/',
  ])('is never sent to %s', async (url) => {
    await asApp('PATCH /app/hook/config', { url })
    await settled()
    expect(await listed()).toMatchObject([
      { event: 'ping', status: expect.stringContaining('refused'), status_code: 502 },
    ])
  })
})

describe('the app is told', () => {
  it('with a ping when its webhook has changed, and shows no secret', async () => {
    const answer = await asApp('PATCH /app/hook/config', { secret: 'new secret' })
    await settled()
    expect(answer).toMatchObject({ status: 200, body: { url: receiver.url, secret: '********' } })
    expect((await asApp('GET /app/hook/config')).body).toEqual(answer.body)
    const [ping] = receiver.received
    expect(ping).toMatchObject({ event: 'ping', body: { hook_id: sandbox.github.app.hookId } })
    expect(ping?.raw).not.toContain('new secret')
    expect(ping?.isSignedWith('new secret')).toBe(true)
  })

  it.each([{ content_type: 'xml' }, { url: 'nowhere' }, { secret: 7 }])(
    'nothing when the change is refused: %o',
    async (change) => {
      const before = (await asApp('GET /app/hook/config')).body
      expect((await asApp('PATCH /app/hook/config', change)).status).toBe(422)
      await settled()
      expect((await asApp('GET /app/hook/config')).body).toEqual(before)
      expect(receiver.received).toEqual([])
    },
  )

  it('what happens to an installation, by whom, and with which repositories', async () => {
    const { installations } = sandbox.github
    const installation = await install()
    installations.suspend(installation)
    await settled()
    installations.unsuspend(installation)
    await settled()
    await asApp(`DELETE /app/installations/${installation.id}`)
    await settled()
    const actions = receiver.received.map(({ event, body }) => `${event}.${String(body['action'])}`)
    expect(actions).toEqual([
      'installation.created',
      'installation.suspend',
      'installation.unsuspend',
      'installation.deleted',
    ])
    const [created, suspended] = receiver.received
    expect(created?.body).toMatchObject({
      installation: { id: installation.id, account: { login: 'acme' }, suspended_at: null },
      repositories: [{ id: shop.id, full_name: 'acme/shop', private: true }],
      sender: { login: 'ada' },
    })
    expect(suspended?.body).toMatchObject({ installation: { suspended_at: expect.any(String) } })
    expect(receiver.received.at(-1)?.body).toMatchObject({
      sender: { login: 'signalbox-sandbox[bot]', type: 'Bot' },
    })
  })

  it('which repositories came and went', async () => {
    const blog = addRepository('blog')
    sandbox.github.install({ account: 'acme', repositories: ['shop'] })
    sandbox.github.install({ account: 'acme', repositories: ['blog'] })
    await settled()
    const changes = receiver.received.filter(({ event }) => event === 'installation_repositories')
    expect(changes.map(({ body }) => body).toSorted(byAction)).toMatchObject([
      { action: 'added', repository_selection: 'selected', repositories_added: [{ id: blog.id }] },
      { action: 'removed', repositories_added: [], repositories_removed: [{ id: shop.id }] },
    ])
  })

  it('nothing when the choice is the same', async () => {
    await install()
    await install()
    expect(receiver.events()).toEqual(['installation'])
  })

  it('that a user has revoked their authorization', async () => {
    const { app, installations, state } = sandbox.github
    const ada = state.accounts.get('ada')
    if (ada === undefined) throw new Error('There is no ada.')
    installations.revokeAuthorization(app, ada)
    await settled()
    const [revoked] = receiver.received
    expect(revoked?.event).toBe('github_app_authorization')
    expect(revoked?.body).toMatchObject({ action: 'revoked', sender: { login: 'ada' } })
    expect(revoked?.body).not.toHaveProperty('installation')
  })
})

function byAction(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
) {
  return String(one['action']).localeCompare(String(other['action']))
}

describe('the list of deliveries', () => {
  it('shows what was sent and what was answered', async () => {
    const { id } = await install()
    happens('push', [5])
    await settled()
    const [item] = await listed()
    expect(item).toMatchObject({
      event: 'push',
      action: null,
      status: 'OK',
      status_code: 202,
      redelivery: false,
      installation_id: id,
      repository_id: shop.id,
      guid: receiver.received.at(-1)?.guid,
    })
    const { body } = await asApp(`GET /app/hook/deliveries/${item?.id}`)
    expect(body).toMatchObject({
      url: receiver.url,
      request: { headers: { 'X-GitHub-Event': 'push' }, payload: { number: 5 } },
      response: { headers: { 'x-received': '2' }, payload: 'thanks' },
    })
  })

  it('tells failures from successes', async () => {
    await install()
    receiver.status = 500
    happens()
    await settled()
    expect(await listed('?status=failure')).toMatchObject([
      { event: 'push', status: 'Invalid HTTP Response: 500', status_code: 500 },
    ])
    expect(await listed('?status=success')).toMatchObject([{ event: 'installation' }])
    expect((await asApp('GET /app/hook/deliveries?status=all')).status).toBe(422)
  })

  it('is followed page by page with the cursor of its Link header', async () => {
    await install()
    happens('push', [1, 2, 3])
    await settled()
    const seen: Item[] = []
    let next: string | undefined = '/app/hook/deliveries?per_page=3'
    while (next !== undefined) {
      const { body, headers } = await asApp(`GET ${next}`)
      seen.push(...(body as Item[]))
      next = /api(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(await listed())
    expect(seen).toHaveLength(4)
    expect((await asApp('GET /app/hook/deliveries?cursor=x')).status).toBe(400)
  })

  it('forgets after three days', async () => {
    await install()
    const [item] = await listed()
    sandbox.clock.advance(3 * 24 * 3_600_000 - 60_000)
    expect(await listed()).toHaveLength(1)
    sandbox.clock.advance(120_000)
    expect(await listed()).toEqual([])
    expect((await asApp(`POST /app/hook/deliveries/${item?.id}/attempts`)).status).toBe(404)
  })

  it('keeps what nobody could be reached with', async () => {
    sandbox.github.app.webhookUrl = 'https://signalbox.invalid/hooks'
    await install()
    await receiver.close()
    sandbox.github.app.webhookUrl = receiver.url
    happens()
    await settled()
    expect(await listed('?status=failure')).toMatchObject([
      { event: 'push', status_code: 502 },
      { event: 'installation', status_code: 502 },
    ])
    const [item] = await listed()
    expect((await asApp(`GET /app/hook/deliveries/${item?.id}`)).body).toMatchObject({
      response: { headers: null, payload: null },
    })
  })

  it('is empty as long as the webhook is not active', async () => {
    sandbox.github.app.webhookUrl = undefined
    await install()
    happens()
    await settled()
    expect(await listed()).toEqual([])
  })

  it('notes who does not answer in time', async () => {
    await install()
    receiver.status = undefined
    sandbox.github.hooks.timeLimitMs = 50
    happens()
    await settled()
    expect(await listed('?status=failure')).toMatchObject([
      { status: 'timed out', status_code: 504 },
    ])
  })

  it('is nobody else’s', async () => {
    const { app, state } = sandbox.github
    const token = await client.installationToken(await install())
    expect((await client.api('GET /app/hook/deliveries', { token })).status).toBe(401)
    const [item] = await listed()
    const other = createApp(state, { ...app, name: 'Another app' }, createAppCredentials())
    const asOther = (request: string) => client.api(request, { token: client.jwt(other) })
    expect((await asOther('GET /app/hook/deliveries')).body).toEqual([])
    expect((await asOther(`GET /app/hook/deliveries/${item?.id}`)).status).toBe(404)
    expect((await asOther(`POST /app/hook/deliveries/${item?.id}/attempts`)).status).toBe(404)
  })
})

describe('a delivery', () => {
  it('that failed is not repeated until the app asks for it, and then has the same GUID', async () => {
    await install()
    receiver.status = 500
    happens('push', [9])
    await settled()
    receiver.status = 202
    expect(arrived()).toEqual([9])
    const [failed] = await listed('?status=failure')
    const path = `/app/hook/deliveries/${failed?.id}/attempts`
    expect((await asApp(`POST ${path}`)).status).toBe(202)
    await settled()
    expect(arrived()).toEqual([9, 9])
    const [again] = await listed()
    expect(again).toMatchObject({ guid: failed?.guid, redelivery: true, status_code: 202 })
    expect(again?.id).not.toBe(failed?.id)
    expect(new Set(receiver.received.slice(1).map(({ guid }) => guid)).size).toBe(1)
  })

  it('that is not there cannot be repeated', async () => {
    expect((await asApp('POST /app/hook/deliveries/1/attempts')).status).toBe(404)
    expect((await asApp('GET /app/hook/deliveries/1')).status).toBe(404)
  })
})

describe('a fault of deliveries', () => {
  it('loses as many as it was asked to, and the list shows it', async () => {
    await install()
    sandbox.github.hooks.faults.loseNext(2)
    happens('push', [1, 2, 3])
    await settled()
    expect(arrived()).toEqual([3])
    expect(await listed('?status=failure')).toHaveLength(2)
  })

  it('sends as many twice as it was asked to, byte for byte', async () => {
    await install()
    sandbox.github.hooks.faults.repeatNext(1)
    happens('push', [1])
    await settled()
    happens('push', [2])
    await settled()
    expect(arrived()).toEqual([1, 1, 2])
    const [, one, two] = receiver.received
    expect([two?.guid, two?.raw]).toEqual([one?.guid, one?.raw])
  })

  it('holds everything, and lets it go in the order that is given', async () => {
    await install()
    const { faults } = sandbox.github.hooks
    faults.hold()
    happens('push', [1, 2, 3])
    await settled()
    expect(arrived()).toEqual([])
    expect(faults.held()).toEqual(['push', 'push', 'push'])
    await faults.release([2, 0, 1])
    expect(arrived()).toEqual([3, 1, 2])
    happens('push', [4])
    await settled()
    expect(arrived()).toEqual([3, 1, 2, 4])
  })

  it.each([[[0]], [[0, 0]], [[0, 2]], [[0, 1, 1]]])(
    'refuses the order %o of two, and goes on to hold them',
    async (order) => {
      await install()
      const { faults } = sandbox.github.hooks
      faults.hold()
      happens('push', [1, 2])
      await expect(faults.release(order)).rejects.toThrow(RangeError)
      expect(faults.held()).toHaveLength(2)
      await faults.release()
      expect(arrived()).toEqual([1, 2])
    },
  )

  it('is forgotten by a reset, with everything that was sent', async () => {
    await install()
    const { faults } = sandbox.github.hooks
    faults.loseNext(5)
    faults.hold()
    happens()
    sandbox.reset()
    expect(await listed()).toEqual([])
    sandbox.github.app.webhookUrl = receiver.url
    await install()
    expect(receiver.events()).toEqual(['installation', 'installation'])
  })
})
