import { publisherKeyId } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemAuthor } from '../audit/audit-event.ts'
import { unwrapDataKey } from '../crypto/data-keys.ts'
import { generateRootKey, type RootKey } from '../crypto/root-key.ts'
import type { Store } from '../store/store.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { verifyRootKeys } from './verify-root-keys.ts'
import { createOrganizationKeys } from './organization-keys.ts'
import { listPublicKeys, openPublisherKeys } from './publisher-keys.ts'
import { judgeRotation, rotateRootKey } from './rotate-root-key.ts'

const from = generateRootKey()
const to = generateRootKey()
const organizations = 9
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.asOwner(`delete from root_keys; delete from data_keys; delete from organizations;
    delete from audit_events; delete from audit_chains`)
  await verifyRootKeys(test, [from])
  for (let i = 0; i < organizations; i++) await addOrganization(`org_${i}`, [from])
})

async function addOrganization(orgId: string, rootKeys: readonly RootKey[]) {
  const keys = createOrganizationKeys({
    store: test.store,
    rootKeys: () => rootKeys,
    now: () => new Date(),
  })
  await test.asOwner('insert into organizations (id, slug, name) values ($1, $1, $1)', [orgId])
  await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
}

const rotation = { from, to, actor: systemAuthor, batchSize: 2 }

async function expectAllOpenWith(rootKey: RootKey, count: number) {
  const rows = await test.asOwner<{ orgId: string; version: number; wrapped: Buffer }>(
    `select org_id as "orgId", version, wrapped from data_keys`,
  )
  expect(rows).toHaveLength(count)
  for (const row of rows) unwrapDataKey([rootKey], row)
}

const rootKeyRows = () => test.asOwner('select id, state from root_keys order by state')

/** A store whose maintenance transactions stop working after some. */
function storeThatDiesAfter(transactions: number): Pick<Store, 'maintenance'> {
  let left = transactions
  return {
    maintenance: (work) =>
      left-- > 0
        ? test.store.maintenance(work)
        : test.store.maintenance(async (tx) => {
            await work(tx)
            throw new Error('killed before the commit')
          }),
  }
}

describe('rotateRootKey', () => {
  it('leaves the keys that clients verify snapshots with as they are', async () => {
    await openPublisherKeys({ store: test.store, rootKeys: () => [from] })
    const keys = await listPublicKeys(test)
    expect(keys).toHaveLength(1)
    await rotateRootKey(test, rotation)
    const opened = await openPublisherKeys({ store: test.store, rootKeys: () => [to] })
    expect(await listPublicKeys(test)).toEqual(keys)
    const place = { orgId: 'org_1', schemaId: 'sch_1', environmentId: 'env_1', version: 1 }
    const header = opened.signer().sign({ audience: 'browser', ...place, publishedAtMs: 1 }, '{}')
    expect(header).toContain(publisherKeyId(keys[0] ?? ''))
  })

  it('re-wraps every data key, verifies all and retires the old key', async () => {
    const seen: string[] = []
    const result = await rotateRootKey(test, {
      ...rotation,
      onProgress: ({ phase, done }) => seen.push(`${phase} ${done}`),
    })
    expect(result).toEqual({ outcome: 'rotated', dataKeys: organizations })
    await expectAllOpenWith(to, organizations)
    expect(await rootKeyRows()).toEqual([{ id: to.id, state: 'active' }])
    expect(seen).toContain('wrapping 6')
    expect(seen.at(-1)).toBe(`verifying ${organizations}`)
    const events = await test.asOwner(
      `select action from audit_events where org_id = 'server' order by sequence`,
    )
    expect(events.map(({ action }) => action)).toEqual([
      'root_key.rotation_started',
      'root_key.rotation_finished',
    ])
  })

  it('finishes after a kill at any point, and every data key opens all the time', async () => {
    for (let transactions = 0; transactions < 8; transactions++) {
      const killed = rotateRootKey({ store: storeThatDiesAfter(transactions) }, rotation)
      await expect(killed).rejects.toThrow('killed before the commit')
      const rows = await test.asOwner<{ orgId: string; version: number; wrapped: Buffer }>(
        `select org_id as "orgId", version, wrapped from data_keys`,
      )
      for (const row of rows) unwrapDataKey([from, to], row)
    }
    expect(await rotateRootKey(test, rotation)).toMatchObject({ outcome: 'rotated' })
    await expectAllOpenWith(to, organizations)
    expect(await rotateRootKey(test, rotation)).toEqual({ outcome: 'already_rotated' })
  })

  it('finds the data key of an organization that an old node adds after the verification', async () => {
    let verified = false
    const store: Pick<Store, 'maintenance'> = {
      async maintenance(work) {
        if (verified) await addOrganization('org_late', [from])
        verified = false
        return test.store.maintenance(work)
      },
    }
    const result = await rotateRootKey(
      { store },
      {
        ...rotation,
        onProgress: ({ phase, done }) => {
          verified = phase === 'verifying' && done === organizations
        },
      },
    )
    expect(result).toEqual({ outcome: 'rotated', dataKeys: organizations + 1 })
    await expectAllOpenWith(to, organizations + 1)
  })

  it('lets no node wrap under the old key once it is retired', async () => {
    await rotateRootKey(test, rotation)
    await expect(addOrganization('org_late', [from])).rejects.toMatchObject({ code: 'sealed' })
    await addOrganization('org_later', [from, to])
    await expectAllOpenWith(to, organizations + 1)
  })

  it('lets two processes rotate at once', async () => {
    await Promise.all([rotateRootKey(test, rotation), rotateRootKey(test, rotation)])
    await expectAllOpenWith(to, organizations)
    expect(await rootKeyRows()).toEqual([{ id: to.id, state: 'active' }])
  })

  it('refuses a key that is not in force and writes nothing', async () => {
    const wrong = { ...rotation, from: generateRootKey() }
    expect(await rotateRootKey(test, wrong)).toEqual({ outcome: 'wrong_key' })
    expect(await rootKeyRows()).toEqual([{ id: from.id, state: 'active' }])
    await expectAllOpenWith(from, organizations)
  })

  it('keeps the old key when a data key was damaged', async () => {
    await test.asOwner(
      `update data_keys set wrapped = set_byte(wrapped, 30, 255 - get_byte(wrapped, 30)) where org_id = 'org_3'`,
    )
    await expect(rotateRootKey(test, rotation)).rejects.toMatchObject({ reason: 'not_authentic' })
    expect(await rootKeyRows()).toHaveLength(2)
  })
})

describe('judgeRotation', () => {
  const a = { id: 'a' }
  const b = { id: 'b' }
  it('begins, continues, or has nothing left to do', () => {
    expect(judgeRotation([{ id: 'a', state: 'active' }], a, b)).toBe('new')
    const both = [
      { id: 'b', state: 'active' },
      { id: 'a', state: 'retiring' },
    ] as const
    expect(judgeRotation(both, a, b)).toBe('open')
    expect(judgeRotation([{ id: 'b', state: 'active' }], a, b)).toBe('already_rotated')
  })

  it('refuses a third key during a rotation, and one key twice', () => {
    const both = [
      { id: 'b', state: 'active' },
      { id: 'a', state: 'retiring' },
    ] as const
    expect(judgeRotation(both, b, { id: 'c' })).toBe('wrong_key')
    expect(judgeRotation(both, { id: 'c' }, b)).toBe('wrong_key')
    expect(judgeRotation([{ id: 'a', state: 'active' }], a, a)).toBe('wrong_key')
  })
})

describe('admitRootKeys', () => {
  it('knows the key it was bound to, and refuses another', async () => {
    expect(await verifyRootKeys(test, [from])).toEqual({ outcome: 'ready' })
    expect(await verifyRootKeys(test, [generateRootKey()])).toEqual({
      outcome: 'wrong',
      missingId: from.id,
    })
    expect(await rootKeyRows()).toHaveLength(1)
  })

  it('asks for both keys while a rotation is unfinished', async () => {
    await expect(rotateRootKey({ store: storeThatDiesAfter(2) }, rotation)).rejects.toThrow(
      'killed',
    )
    expect(await verifyRootKeys(test, [to])).toEqual({ outcome: 'partial', missingId: from.id })
    expect(await verifyRootKeys(test, [from])).toEqual({ outcome: 'wrong', missingId: to.id })
    expect(await verifyRootKeys(test, [to, from])).toEqual({ outcome: 'ready' })
  })
})
