import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openOrganization } from '../../packages/server/src/start/testing/connect-organization.ts'
import {
  rotatingNames,
  rotatingProviders,
  type RotatingName,
} from '../../packages/server/src/integrations/testing/rotating-providers.ts'
import { until } from '../testing/proof-service.ts'
import { openShopNodes, type ShopNodes } from '../testing/shop-nodes.ts'

/** Without the lease a single round has several calls, so 10 tell. */
const rounds = 10 * inject('scale')
const callers = 10
/** Says how long the provider takes, in milliseconds; round by round, and a call may take ten seconds. */
const latencies = [0, 30, 60, 120]
const slowRounds: ReadonlyMap<number, number> = new Map([
  [5, 1_000],
  [15, 2_000],
  [20, 4_000],
  [25, 8_000],
])

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

describe.each(rotatingNames)('an access to %s that ends while fifty ask for it', (provider) => {
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
