import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemAuthor } from '../audit/audit-event.ts'
import { generateRootKey, type RootKey } from '../crypto/root-key.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { verifyRootKeys } from './verify-root-keys.ts'
import { rotateRootKey } from './rotate-root-key.ts'
import { createServerKeys } from './server-keys.ts'

const from = generateRootKey()
const to = generateRootKey()
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.asOwner('delete from root_keys; delete from server_keys')
  await verifyRootKeys(test, [from])
})

const sealerWith = (...rootKeys: RootKey[]) =>
  test.store.maintenance((tx) => createServerKeys({ rootKeys: () => rootKeys }).getSealer(tx))

describe('the key of the server', () => {
  it('is one for all nodes, also when two need it first at the same moment', async () => {
    const [one, two] = await Promise.all([sealerWith(from), sealerWith(from)])
    const sealed = one.seal('here', 'secret')
    expect(two.open('here', sealed).toString()).toBe('secret')
    expect(() => two.open('there', sealed)).toThrow('not_authentic')
    expect(await test.asOwner('select version from server_keys')).toEqual([{ version: 1 }])
  })

  it('opens nothing without the root key', async () => {
    await sealerWith(from)
    await expect(sealerWith(to)).rejects.toMatchObject({ code: 'sealed' })
  })

  it('follows a rotation of the root key, and opens what was sealed before', async () => {
    const sealed = (await sealerWith(from)).seal('here', 'secret')
    const rotation = { from, to, actor: systemAuthor }
    expect(await rotateRootKey(test, rotation)).toMatchObject({ outcome: 'rotated' })
    expect((await sealerWith(to)).open('here', sealed).toString()).toBe('secret')
    await expect(sealerWith(from)).rejects.toMatchObject({ code: 'sealed' })
  })

  it('keeps the old root key when it was damaged', async () => {
    await sealerWith(from)
    await test.asOwner(
      'update server_keys set wrapped = set_byte(wrapped, 30, 255 - get_byte(wrapped, 30))',
    )
    const rotation = { from, to, actor: systemAuthor }
    await expect(rotateRootKey(test, rotation)).rejects.toMatchObject({ reason: 'not_authentic' })
    expect(await test.asOwner('select id from root_keys')).toHaveLength(2)
  })
})
