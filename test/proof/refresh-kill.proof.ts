import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../testing/proof-service.ts'
import { openShopService, type ShopService } from '../testing/shop-service.ts'

/** Shortened from two hundred: each round kills and starts a whole process. */
const rounds = 4

let service: ShopService
beforeAll(async () => {
  service = await openShopService()
})
afterAll(() => service.close())

const refreshes = () =>
  service.sandbox.log
    .list()
    .filter(({ path, body }) => path === '/oauth/token' && body.includes('refresh_token')).length
const ask = () => service.organization.ask('GET /integrations/tracker/projects')

/** Has the token renewed, kills the process while that is under way, and starts it again. Answers how it stands then. */
async function killDuringRefresh(
  kill: { readonly isAnswered: boolean; readonly isLate: boolean },
  nth: number,
): Promise<string> {
  const { proof, sandbox } = service
  await proof.asOwner(`update integration_credentials set access_expires_at = now()
    where integration_id in (select id from integrations where kind = 'tracker')`)
  const before = refreshes()
  const startedAt = Date.now()
  if (!kill.isAnswered) {
    const fault = { kind: 'cut' } as const
    sandbox.faults.add({ provider: 'jira', request: 'POST /oauth/token', fault })
  }
  const asked = ask().catch(() => undefined)
  await until(() => refreshes() > before, 'the call of the provider')
  // From before the answer is read until after it is committed.
  if (kill.isAnswered) await delay(nth * 4)
  await proof.killService()
  await asked
  // Leeway off: who comes with the old token after it is taken for a thief.
  if (kill.isLate) sandbox.clock.advance(11 * 60_000)
  await proof.start()
  // Shortened: the lease of who is dead ends after thirty seconds.
  await proof.asOwner('update integration_credentials set lease_until = null')
  const outcome = await ask().then(
    () => 'in force',
    (error: unknown) => String(error),
  )
  if (outcome === 'in force') return outcome
  const [row] = await proof.asOwner<{ state: string; told: number }>(
    `select state, (select count(*)::int from audit_events where action = 'integration.reauth_required' and at >= $1) as told
      from integrations where kind = 'tracker' and state <> 'disconnected'`,
    [new Date(startedAt)],
  )
  const isSaid = row?.state === 'reauth_required' && row.told === 1
  if (!isSaid) return `silent: ${row?.state} ${row?.told} ${outcome}`
  await service.organization.connect('tracker')
  return 'reauth_required'
}

async function killAll(kill: Parameters<typeof killDuringRefresh>[0]): Promise<string[]> {
  const outcomes: string[] = []
  for (let nth = 0; nth < rounds; nth += 1) outcomes.push(await killDuringRefresh(kill, nth))
  return outcomes
}

describe('a process that is killed while it renews a token (R9)', () => {
  it('loses nothing while the provider still takes the token before', async () => {
    const outcomes = await killAll({ isAnswered: true, isLate: false })
    console.log(`refresh: ${rounds} kills with leeway: ${outcomes.join(', ')}`)
    expect(outcomes).toEqual(outcomes.map(() => 'in force'))
  })

  it('has the new token, or says that somebody has to connect again, where the provider takes it no more', async () => {
    const outcomes = await killAll({ isAnswered: true, isLate: true })
    console.log(`refresh: ${rounds} kills without leeway: ${outcomes.join(', ')}`)
    expect(outcomes.filter((one) => one !== 'in force' && one !== 'reauth_required')).toEqual([])
  })

  it('control: a token that never arrived is lost without leeway, and that is said', async () => {
    const kill = { isAnswered: false, isLate: true }
    expect(await killDuringRefresh(kill, 0)).toBe('reauth_required')
  })
})
