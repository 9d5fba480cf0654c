import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openOrganization } from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShopNodes, type ShopNodes } from '../testing/shop-nodes.ts'

/** Without the lease every round has several calls (8 to 11 in each of three), so 40 tell. */
const rounds = 40 * inject('scale')
const callers = 10
/** How long the provider takes, in milliseconds; round by round, and a call may take ten seconds. */
const latencies = [0, 30, 60, 120]
const slowRounds: ReadonlyMap<number, number> = new Map([
  [5, 1_000],
  [15, 2_000],
  [25, 4_000],
  [35, 8_000],
])

let shop: ShopNodes
beforeAll(async () => {
  shop = await openShopNodes()
}, 240_000)
afterAll(() => shop?.close())

const refreshes = () =>
  shop.sandbox.log
    .list()
    .filter(({ path, body }) => path === '/oauth/token' && body.includes('refresh_token')).length

interface Round {
  /** Calls of the provider to renew the token. */
  readonly calls: number
  readonly refused: readonly string[]
}

/** Has the token end, and asks for it as many at once on both nodes. */
async function ask(latencyMs: number): Promise<Round> {
  const { nodes, organization, sandbox } = shop
  await shop.asOwner(`update integration_credentials set access_expires_at = now()
    where integration_id in (select id from integrations where kind = 'tracker')`)
  const before = refreshes()
  const fault = { kind: 'slow', ms: latencyMs } as const
  if (latencyMs > 0) sandbox.faults.add({ provider: 'jira', request: 'POST /oauth/token', fault })
  const { orgId, session } = organization
  const asking = nodes.flatMap(({ apiUrl }) => {
    const { ask: send } = openOrganization({ apiUrl, orgId, session })
    return Array.from({ length: callers }, () =>
      send('GET /integrations/tracker/projects').then(
        () => undefined,
        (error: unknown) => String(error),
      ),
    )
  })
  const refused = (await Promise.all(asking)).filter((one) => one !== undefined)
  sandbox.faults.reset()
  return { calls: refreshes() - before, refused }
}

describe('a token that ends while many ask for it on two nodes (R9)', () => {
  it(`is renewed by one call in each of ${rounds} rounds, and nobody is refused`, async () => {
    const wrong: string[] = []
    const startedAt = performance.now()
    for (let round = 0; round < rounds; round += 1) {
      const latencyMs = slowRounds.get(round) ?? latencies[round % latencies.length] ?? 0
      const { calls, refused } = await ask(latencyMs)
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

  it('control: is renewed by several where the lease is forgotten as soon as it is taken', async () => {
    await shop.asOwner(`
      create function forget_lease() returns trigger language plpgsql as $$
      begin new.lease_until = null; return new; end $$;
      create trigger forget_lease before update on integration_credentials for each row execute function forget_lease()`)
    const rounds = [await ask(300), await ask(300), await ask(300)]
    console.log(`refresh: ${rounds.map(({ calls }) => calls).join(', ')} calls without the lease`)
    expect(Math.max(...rounds.map(({ calls }) => calls))).toBeGreaterThan(1)
  })
})
