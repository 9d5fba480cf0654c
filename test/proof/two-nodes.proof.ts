import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openOrganization } from '../../packages/server/src/start/testing/connect-organization.ts'
import {
  rotatingNames,
  rotatingProviders,
  type RotatingName,
} from '../../packages/server/src/integrations/testing/rotating-providers.ts'
import {
  countOf,
  isSettled,
  messageCallsOf,
  messagesOf,
  openWatch,
  patienceMs,
  stopPosts,
} from '../testing/held-posts.ts'
import { ageLostMessages } from '../testing/hurry-jobs.ts'
import { until } from '../testing/proof-service.ts'
import { openShopNodes, type ShopNodes } from '../testing/shop-nodes.ts'

/** Without the lease a single round has several calls, so 6 tell. */
const rounds = 6 * inject('scale')
const callers = 10
/** Says how long the provider takes, in milliseconds; round by round, and a call may take ten seconds. */
const latencies = [0, 30, 60, 120]
const slowRounds: ReadonlyMap<number, number> = new Map([
  [5, 1_000],
  [15, 2_000],
  [20, 4_000],
  [25, 8_000],
])

/** The other node goes on with what a node had in hand when it ended: the promised ten seconds, and what a busy machine adds. */
const otherNodeMs = 30_000

let shop: ShopNodes
beforeAll(async () => {
  shop = await openShopNodes({ withAllProviders: true })
}, 240_000)
afterAll(() => shop?.close())

/** Names the request that renews a token, at each provider. */
const renewals: Readonly<Record<RotatingName, string>> = {
  jira: 'POST /oauth/token',
  linear: 'POST /oauth/token',
  gitlab: 'POST /oauth/token',
  forgejo: 'POST /login/oauth/access_token',
  slack: 'POST /oauth.v2.access',
}

/** Asks something that only the provider knows. */
const questions = {
  codehost: 'GET /integrations/codehost/workflows?repositoryId=',
  tracker: 'GET /integrations/tracker/projects',
  chat: 'GET /integrations/chat/channels',
} as const

const refreshes = (provider: RotatingName) =>
  shop.sandbox.log
    .list()
    .filter((one) => one.provider === provider)
    .filter(({ body }) => /grant_type"?[=:]"?refresh_token/.test(decodeURIComponent(body))).length

interface Round {
  /** Calls of the provider to renew the token. */
  readonly calls: number
  readonly refused: readonly string[]
}

interface Ask {
  /** Of each of the two nodes. */
  readonly callers: number
  readonly repositoryId?: string | undefined
}

/** Has the token end, and asks for it as many at once on both nodes. */
async function ask(provider: RotatingName, { callers, repositoryId = '' }: Ask): Promise<Round> {
  const { nodes, organization } = shop
  const { kind } = rotatingProviders[provider]
  const before = refreshes(provider)
  await shop.asOwner(
    `update integration_credentials set access_expires_at = now()
      where integration_id in (select id from integrations where kind = $1)`,
    [kind],
  )
  const { orgId, session } = organization
  const question = questions[kind] + (kind === 'codehost' ? encodeURIComponent(repositoryId) : '')
  const asking = nodes.flatMap(({ apiUrl }) => {
    const asker = openOrganization({ apiUrl, orgId, session })
    return Array.from({ length: callers }, () => askOnce(asker, question))
  })
  const refused = (await Promise.all(asking)).filter((one) => one !== undefined)
  return { calls: refreshes(provider) - before, refused }
}

/** Limits the repetitions of a request, so that a database that never answers is said. */
const triesMax = 20
const tryAgainMs = 500

/** Returns how a request was refused. One that the database of a busy machine was too slow for is repeated, as its answer asks. */
async function askOnce(
  asker: Pick<ReturnType<typeof openOrganization>, 'ask'>,
  question: string,
): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const refused = await asker.ask(question).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    const isBusy = refused?.includes('"code":"db_unavailable"') === true
    if (!isBusy || tries === triesMax) return refused
    await delay(tryAgainMs)
  }
}

/** Has the provider take a while for the next renewal. */
function slowDown(provider: RotatingName, ms: number): void {
  if (ms === 0) return
  const fault = { kind: 'slow', ms } as const
  shop.sandbox.faults.add({ provider, request: renewals[provider], fault })
}

describe('one of two nodes', () => {
  it('is followed by the other in seconds when it is killed while it posts a message', async () => {
    const { nodes, organization, sandbox, asOwner } = shop
    await organization.ask('PATCH /integrations/chat', {
      defaultChannelId: sandbox.slack.channelId('deployments'),
    })
    await nodes[1].kill()
    stopPosts(sandbox, 'unanswered')
    const sha = shop.shop.deploy('production', ['success'])
    await until(() => countOf(sandbox, '/chat.postMessage') > 0, 'the post', patienceMs)
    await nodes[1].start()
    const callsBefore = messageCallsOf(sandbox)
    const took = openWatch()
    await nodes[0].kill()
    await ageLostMessages({ asOwner })
    await until(() => messageCallsOf(sandbox) > callsBefore, 'the next call', patienceMs)
    const wentOnMs = took()
    await until(() => isSettled(sandbox, { asOwner }, sha), 'the message', patienceMs)
    console.log(
      `node ends: two nodes, gone on with ${wentOnMs} ms and settled ${took()} ms after the kill`,
    )
    expect(wentOnMs).toBeLessThan(otherNodeMs)
    expect(messagesOf(sandbox, sha)).toHaveLength(1)
  })

  it('is followed by the other in seconds when it is killed while it renews a token, which is asked for once more at most', async () => {
    await shop.nodes[0].start()
    const { nodes, organization, sandbox, asOwner } = shop
    const askAt = ({ apiUrl }: { readonly apiUrl: string }) => {
      const { orgId, session } = organization
      return openOrganization({ apiUrl, orgId, session }).ask('GET /integrations/tracker/projects')
    }
    const renewals = () =>
      sandbox.log
        .list()
        .filter(({ path, body }) => path === '/oauth/token' && body.includes('refresh_token'))
        .length
    await asOwner(`update integration_credentials set access_expires_at = now()
      where integration_id in (select id from integrations where kind = 'tracker')`)
    sandbox.faults.add({ provider: 'jira', request: 'POST /oauth/token', fault: { kind: 'hang' } })
    const before = renewals()
    const lost = askAt(nodes[0]).catch(() => undefined)
    await until(() => renewals() > before, 'the renewal', patienceMs)
    const took = openWatch()
    await nodes[0].kill()
    await lost
    await askAt(nodes[1])
    console.log(
      `node ends: token renewed ${took()} ms after the kill, asked for ${renewals() - before} times`,
    )
    expect(took()).toBeLessThan(otherNodeMs)
    expect(renewals() - before).toBeLessThanOrEqual(2)
    await nodes[0].start()
  })
})

describe('a token that ends while many ask for it on two nodes (R9)', () => {
  it(`is renewed by one call in each of ${rounds} rounds, and nobody is refused`, async () => {
    const wrong: string[] = []
    const startedAt = performance.now()
    for (let round = 0; round < rounds; round += 1) {
      const latencyMs = slowRounds.get(round) ?? latencies[round % latencies.length] ?? 0
      slowDown('jira', latencyMs)
      const { calls, refused } = await ask('jira', { callers })
      shop.sandbox.faults.reset()
      if (calls !== 1 || refused.length > 0) {
        wrong.push(`round ${round}, ${latencyMs} ms: ${calls} calls, ${refused.join(' ')}`)
      }
      shop.sandbox.log.reset()
    }
    const tookS = Math.round((performance.now() - startedAt) / 1000)
    console.log(
      `refresh: ${rounds} rounds of 2 x ${callers} callers in ${tookS} s, ${wrong.length} wrong`,
    )
    expect(wrong).toEqual([])
  })
})

/** Connects a provider in place of another one of its kind. Returns the repository that a code host has. */
async function connect(provider: RotatingName): Promise<string | undefined> {
  const { organization, sandbox, nodes } = shop
  const { kind } = rotatingProviders[provider]
  const redirectUri = `${nodes[0].apiUrl}/integrations/${kind}/oauth/callback`
  Object.assign(sandbox[provider].app, { redirectUris: [redirectUri] })
  await organization.ask(`DELETE /integrations/${kind}`)
  await organization.connect(kind, provider)
  const read = () =>
    organization.ask<{
      readonly provider: string
      readonly state: string
      readonly repositories?: readonly { readonly id: string; readonly url: string }[]
    }>(`GET /integrations/${kind}`)
  expect(await read()).toMatchObject({ provider, state: 'connected' })
  if (provider !== 'gitlab' && provider !== 'forgejo') return undefined
  let repositoryId: string | undefined
  await until(
    async () => {
      const { repositories = [] } = await read()
      // Those of the code host before are listed as well.
      repositoryId = repositories.find(({ url }) => url.startsWith(sandbox.addresses[provider]))?.id
      return repositoryId !== undefined
    },
    'the repositories',
    60_000,
  )
  return repositoryId
}

/** By day one of another kind than Jira, which the rounds renew. */
const proven: readonly RotatingName[] = inject('scale') > 1 ? rotatingNames : ['gitlab']

describe.each(proven)('an access to %s that ends while fifty ask for it', (provider) => {
  let of: Ask
  beforeAll(async () => {
    const { gitlab, forgejo, slack } = shop.sandbox
    if (provider === 'gitlab') gitlab.activity.addProject({ fullPath: 'acme/shop' })
    if (provider === 'forgejo') forgejo.activity.addRepository({ fullName: 'acme/shop' })
    slack.rotation = true
    of = { callers: 25, repositoryId: await connect(provider) }
  }, 120_000)

  it('is renewed by one call of two processes, and nobody is refused', async () => {
    slowDown(provider, 300)
    expect(await ask(provider, of)).toEqual({ calls: 1, refused: [] })
  })

  it('control: is renewed by several at once where the lease is forgotten as soon as it is taken', async () => {
    await shop.asOwner(`
      create or replace function forget_lease() returns trigger language plpgsql as $$
      begin new.lease_until = null; return new; end $$;
      create trigger forget_lease before update on integration_credentials for each row execute function forget_lease()`)
    const { promise, resolve } = Promise.withResolvers<void>()
    const { faults } = shop.sandbox
    const fault = { kind: 'hold', until: promise } as const
    faults.add({ provider, request: renewals[provider], times: 2, fault })
    const asked = ask(provider, of)
    try {
      await until(() => faults.list().length === 0, 'a second call', 60_000)
    } finally {
      resolve()
      await asked
      faults.reset()
      await shop.asOwner('drop trigger forget_lease on integration_credentials')
    }
    expect((await asked).calls).toBeGreaterThan(1)
  })
})
