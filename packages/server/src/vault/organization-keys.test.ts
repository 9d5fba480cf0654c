import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateRootKey, type RootKey } from '../crypto/root-key.ts'
import { UnsealError } from '../crypto/seal.ts'
import { expectOneEvent } from '../audit/testing/expect-audit.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { verifyRootKeys } from './verify-root-keys.ts'
import { createOrganizationKeys, type OrganizationKeysDeps } from './organization-keys.ts'

const rootKey = generateRootKey()
let now = new Date('2026-11-21T06:00:00Z')
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await verifyRootKeys(test, [rootKey])
})
afterAll(() => test.close())

function openKeys(overrides: Partial<OrganizationKeysDeps> = {}) {
  return createOrganizationKeys({
    store: test.store,
    rootKeys: () => [rootKey],
    now: () => now,
    ...overrides,
  })
}

async function addOrganization(orgId: string, keys = openKeys()) {
  await test.asOwner('insert into organizations (id, slug, name) values ($1, $1, $1)', [orgId])
  await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  return keys
}

const sealerOf = (keys: ReturnType<typeof openKeys>, orgId: string) =>
  test.store.transaction({ orgId }, (tx) => keys.getSealer(tx, orgId))

describe('createOrganizationKeys', () => {
  it('opens nothing of another organization', async () => {
    const keys = await addOrganization('org_b')
    await addOrganization('org_c', keys)
    const sealed = (await sealerOf(keys, 'org_b')).seal('same place', 'x')
    const other = await sealerOf(keys, 'org_c')
    expect(() => other.open('same place', sealed)).toThrow(UnsealError)
  })

  it('answers sealed on a node without the root key, and cannot make keys there', async () => {
    await addOrganization('org_d')
    const blind = openKeys({ rootKeys: () => [generateRootKey()] })
    await expect(sealerOf(blind, 'org_d')).rejects.toMatchObject({ code: 'sealed' })
    await expect(addOrganization('org_d2', blind)).rejects.toMatchObject({ code: 'sealed' })
  })

  it('opens nothing once the data key is destroyed, although it was in memory', async () => {
    const keys = await addOrganization('org_e')
    await sealerOf(keys, 'org_e')
    await test.asOwner(`delete from data_keys where org_id = 'org_e'`)
    await expect(sealerOf(keys, 'org_e')).rejects.toMatchObject({ code: 'sealed' })
  })

  it('counts seals, and gives the next data key before one has sealed too often', async () => {
    const keys = await addOrganization('org_f', openKeys({ sealsPerKey: 3 }))
    const first = await sealerOf(keys, 'org_f')
    const old = first.seal('c', '1')
    first.seal('c', '2')
    await keys.flushSealCounts()
    await expect(sealsOf('org_f')).resolves.toEqual([{ version: 1, seals: 2 }])
    first.seal('c', '3')
    const event = await expectOneEvent(test, 'dek.rotated', () => keys.flushSealCounts())
    expect(event).toMatchObject({ org_id: 'org_f', detail: { fromVersion: 1, toVersion: 2 } })
    const second = await sealerOf(keys, 'org_f')
    const fresh = second.seal('c', '4')
    expect(fresh.readUInt32BE(1)).toBe(2)
    expect(second.open('c', old).toString()).toBe('1')
    await keys.flushSealCounts()
    await expect(sealsOf('org_f')).resolves.toEqual([
      { version: 1, seals: 3 },
      { version: 2, seals: 1 },
    ])
  })

  it('rotates at 2^30 seals when nothing else is said', async () => {
    const keys = await addOrganization('org_g')
    await test.asOwner(`update data_keys set seals = 1073741822 where org_id = 'org_g'`)
    const sealer = await sealerOf(keys, 'org_g')
    sealer.seal('c', '1')
    await keys.flushSealCounts()
    expect(await sealsOf('org_g')).toHaveLength(1)
    sealer.seal('c', '2')
    await keys.flushSealCounts()
    expect(await sealsOf('org_g')).toHaveLength(2)
  })

  it('keeps the count of seals when it cannot be written', async () => {
    let down = true
    const keys = await addOrganization(
      'org_h',
      openKeys({
        store: {
          maintenance: (work) =>
            down ? Promise.reject(new Error('down')) : test.store.maintenance(work),
        },
      }),
    )
    ;(await sealerOf(keys, 'org_h')).seal('c', '1')
    await expect(keys.flushSealCounts()).rejects.toThrow('down')
    down = false
    await keys.flushSealCounts()
    expect(await sealsOf('org_h')).toEqual([{ version: 1, seals: 1 }])
  })

  it('asks for the root key again after ten minutes', async () => {
    let have: readonly RootKey[] = [rootKey]
    const keys = await addOrganization('org_i', openKeys({ rootKeys: () => have }))
    await sealerOf(keys, 'org_i')
    have = []
    await sealerOf(keys, 'org_i')
    now = new Date(now.getTime() + 11 * 60_000)
    await expect(sealerOf(keys, 'org_i')).rejects.toMatchObject({ code: 'sealed' })
  })
})

async function sealsOf(orgId: string) {
  return test.asOwner('select version, seals::int from data_keys where org_id = $1 order by 1', [
    orgId,
  ])
}
