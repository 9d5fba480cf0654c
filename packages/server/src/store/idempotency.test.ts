import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { releaseKey, reviseAnswer } from './idempotency.ts'
import { IdempotentReplay, type IdempotencyClaim } from './scope.ts'
import type { Tx } from './store.ts'
import { openTestStore, type TestStore } from './testing/test-database.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner('create table effects (n int); grant all on effects to signalbox_app')
})
afterAll(() => test.close())

let next = 0
function buildClaim(overrides: Partial<IdempotencyClaim> = {}): IdempotencyClaim {
  next += 1
  return {
    orgId: null,
    credentialId: 'key_1',
    route: 'createThing',
    key: `key ${next}`,
    requestHash: 'aa',
    status: 201,
    record: (result) => result,
    ...overrides,
  }
}

async function takeEffect(tx: Tx): Promise<{ readonly made: true }> {
  await tx.query({ name: 'effect', text: 'insert into effects values ($1)', values: [next] })
  return { made: true }
}

function send(claim: IdempotencyClaim, work: (tx: Tx) => Promise<unknown> = takeEffect) {
  return test.store.transaction({ orgId: claim.orgId, idempotency: claim }, work)
}

async function countEffects(): Promise<number> {
  return (await test.asOwner(`select from effects where n = ${next}`)).length
}

describe('an idempotency claim', () => {
  it('takes effect once and answers a repeat with what was recorded', async () => {
    const claim = buildClaim({ record: () => ({ id: 'thing_1', order: [2, 1] }) })
    expect(await send(claim)).toEqual({ made: true })
    const repeat = await send(claim).catch((error: unknown) => error)
    expect(repeat).toBeInstanceOf(IdempotentReplay)
    expect(repeat).toMatchObject({ status: 201, body: { id: 'thing_1', order: [2, 1] } })
    expect(await countEffects()).toBe(1)
  })

  it('answers a repeat with a revised answer, and is free once it is released', async () => {
    const claim = buildClaim({ record: (result) => result })
    const later = (work: (tx: Tx) => Promise<void>) =>
      test.store.transaction({ orgId: claim.orgId }, work)
    await send(claim)
    await later((tx) => reviseAnswer(tx, claim, { ended: true }))
    await expect(send(claim)).rejects.toMatchObject({ body: { ended: true } })
    await later((tx) => releaseKey(tx, { ...claim, credentialId: 'key_other' }))
    await expect(send(claim)).rejects.toBeInstanceOf(IdempotentReplay)
    await later((tx) => releaseKey(tx, claim))
    expect(await send(claim)).toEqual({ made: true })
  })

  it('refuses the same key with another request', async () => {
    const claim = buildClaim()
    await send(claim)
    await expect(send({ ...claim, requestHash: 'bb' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
  })

  it('is free for another organization, another credential and another route', async () => {
    const claim = buildClaim({ orgId: 'org_a' })
    await send(claim)
    await send({ ...claim, orgId: 'org_b' })
    await send({ ...claim, orgId: null })
    await send({ ...claim, credentialId: 'key_2' })
    await send({ ...claim, route: 'createOther' })
    expect(await countEffects()).toBe(5)
  })

  it('is free again when its request failed', async () => {
    const claim = buildClaim()
    const failing = send(claim, async (tx) => {
      await takeEffect(tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await send(claim)).toEqual({ made: true })
    expect(await countEffects()).toBe(1)
  })

  it('takes effect once when ten repeats arrive together', async () => {
    const claim = buildClaim()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => send(claim)))
    const done = outcomes.filter(({ status }) => status === 'fulfilled')
    const replayed = outcomes.filter(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof IdempotentReplay,
    )
    expect([done.length, replayed.length]).toEqual([1, 9])
    expect(await countEffects()).toBe(1)
  })

  it('answers idempotency_in_progress while the first request runs', async () => {
    const claim = buildClaim()
    const [claimed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = send(claim, async (tx) => {
      claimed.resolve()
      await released.promise
      return takeEffect(tx)
    })
    await claimed.promise
    await expect(send(claim)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    released.resolve()
    expect(await first).toEqual({ made: true })
  })

  it('is what prevents the second effect: without a claim there are two', async () => {
    buildClaim()
    await test.store.transaction({ orgId: null }, takeEffect)
    await test.store.transaction({ orgId: null }, takeEffect)
    expect(await countEffects()).toBe(2)
  })
})
