import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from '../testing/http.ts'
import { createMaker } from '../testing/organization.ts'
import {
  createFakedClock,
  findFakedClock,
  type FakedClock,
} from '../testing/database/faked-clock.ts'
import { openProofService, until, type ProofService } from '../testing/proof-service.ts'

const found = findFakedClock()
const missing = 'reason' in found ? ` (skipped: ${found.reason})` : ''

const steps = [
  ['a second', 1],
  ['an hour', 3_600],
  ['a day', 86_400],
  ['ten years', 315_360_000],
] as const
const [, decade] = steps[3]
/** Bounds what comes back after a step: a beat sees it within two seconds, and each minute all is looked at. */
const backMsMax = 30_000

let clock: FakedClock
let proof: ProofService
let write: () => Promise<void>
let written = 0

/** Counts the moments that would hold work back until the clock gets there. */
async function countAhead(): Promise<number> {
  const [row] = await proof.asOwner<{ count: number }>(`
    select ((select count(*) from pgboss.job where state < 'active' and created_on > clock_timestamp() + interval '2 seconds')
      + (select count(*) from pgboss.version where greatest(cron_on, flow_on) > clock_timestamp() + interval '2 seconds')
      + (select count(*) from nodes where seen_at > clock_timestamp() + interval '2 seconds'))::integer as count`)
  return row?.count ?? 0
}

/** Writes, and waits until what claims work by time has done so by this clock: a node's beat, and a turn of the schedules. */
async function workAhead(): Promise<void> {
  await write()
  await proof.asOwner('update pgboss.version set cron_on = clock_timestamp()')
  const beaten = async () => {
    const [row] = await proof.asOwner<{ beaten: boolean }>(
      `select bool_or(seen_at > clock_timestamp() - interval '2 seconds') as beaten from nodes`,
    )
    return row?.beaten ?? false
  }
  await until(beaten, 'a beat', backMsMax)
}

/** Waits until nothing is held back, and a write succeeds. */
async function expectBack(): Promise<void> {
  await until(async () => (await countAhead()) === 0, 'the end of all moments ahead', backMsMax)
  await write()
}

const readKept = () =>
  proof.asOwner(`select (select count(*) from received_webhooks)::integer as webhooks,
    (select count(*) from sessions)::integer as sessions, (select count(*) from invitations)::integer as invitations`)

beforeAll(async () => {
  if ('reason' in found) return
  clock = await createFakedClock(found)
  proof = await openProofService({ env: clock.env })
  const client = () => createClient(proof.current().apiUrl)
  const maker = createMaker(client(), proof.bootstrapToken)
  const { id: orgId } = await maker.organization('Clocks')
  const { id: environmentId } = await maker.environment(orgId, { name: 'production' })
  const schema = { note: { type: 'string', tier: 'public', default: '' } }
  const { id: schemaId } = await maker.schema(orgId, { name: 'app', schema })
  write = async () => {
    written += 1
    const body = { schemaId, environmentId, values: { note: String(written) } }
    const put = async () => {
      const url = `${proof.current().apiUrl}/organizations/${orgId}/config-values`
      const answer = await fetch(url, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${proof.bootstrapToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      return answer.ok
    }
    // The limits of the database fire at the moment of a jump.
    await until(() => put().catch(() => false), 'a write', backMsMax)
  }
  await proof.asOwner(`insert into received_webhooks (id, provider, delivery_id, event, headers, body, origin, state)
    select 'dlv_' || n, 'github', n::text, 'push', '{}', '', 'push', 'done' from generate_series(1, 20) n`)
}, 180_000)
afterAll(async () => {
  await proof?.close()
  await clock?.close()
})

describe.skipIf(missing !== '')(`with a clock that is wrong and right again${missing}`, () => {
  it.each(steps)(
    'loses nothing and holds nothing back after it was %s ahead while the service ran',
    async (_, seconds) => {
      const kept = await readKept()
      await clock.setAhead(seconds)
      await workAhead()
      await clock.setAhead(0)
      await expectBack()
      expect(await readKept()).toEqual(kept)
    },
    120_000,
  )

  it.each(inject('scale') > 1 ? [steps[1], steps[3]] : [steps[3]])(
    'goes on after a kill while the clock was %s ahead',
    async (_, seconds) => {
      const kept = await readKept()
      await clock.setAhead(seconds)
      await workAhead()
      await proof.killService()
      await proof.killDatabase()
      await clock.setAhead(0)
      await proof.start()
      await expectBack()
      expect(await readKept()).toEqual(kept)
    },
    120_000,
  )

  it('starts while the clock is ten years ahead, deletes nothing, and goes on once it is right', async () => {
    const kept = await readKept()
    await proof.killService()
    await clock.setAhead(decade)
    await proof.start()
    await workAhead()
    // Control: without anybody to put them back, these moments are there.
    await proof.killService()
    await clock.setAhead(0)
    expect(await countAhead()).toBeGreaterThan(0)
    await proof.start()
    await expectBack()
    expect(await readKept()).toEqual(kept)
  }, 180_000)

  it('has kept every version, in order, and adds scheduled jobs again', async () => {
    const [stored] = await proof.asOwner(
      `select count(*)::integer as count, max(version) as newest
        from config_versions`,
    )
    expect(stored).toMatchObject({ count: written + 1, newest: written + 1 })
    const jobs = async () =>
      (
        await proof.asOwner<{ ids: string[] }>(
          `select array_agg(id::text) as ids from pgboss.job where name = 'inbox.heal'`,
        )
      )[0]?.ids ?? []
    const before = new Set(await jobs())
    await until(
      async () => (await jobs()).some((id) => !before.has(id)),
      'a scheduled job',
      100_000,
    )
  }, 120_000)
})
