import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateRootKey, type RootKey } from '../../crypto/root-key.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createApiKeyFeed } from '../key-cache/api-key-feed.ts'
import { createApiKeyCache } from '../key-cache/api-key-cache.ts'
import { createSigningKeys, retireSigningKeys } from './signing-keys.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

const [first, second] = [generateRootKey(), generateRootKey()]

describe('createSigningKeys', () => {
  it('lets every node know the public half before the first token, and follows the root key in force', async () => {
    const keyCache = createApiKeyCache()
    const feed = createApiKeyFeed({
      store: test.store,
      keyCache,
      log: silentLog,
      now: () => new Date(),
    })
    let rootKeys: readonly RootKey[] = [first]
    const signingKeys = createSigningKeys({
      store: test.store,
      rootKeys: () => rootKeys,
      publish: () => feed.refresh(),
    })
    const issuer = await signingKeys.getIssuer()
    expect(await signingKeys.getIssuer()).toBe(issuer)
    expect(keyCache.signingKeys()).toEqual([issuer.publicJwk])
    expect(JSON.stringify(keyCache.signingKeys())).not.toContain('"d"')
    rootKeys = [second, first]
    const next = await signingKeys.getIssuer()
    expect(keyCache.signingKeys()).toHaveLength(2)

    await retireSigningKeys({ store: test.store, now: () => new Date() }, second)
    const retired = await test.asOwner('select id from signing_keys where retired_at is not null')
    expect(retired).toEqual([{ id: issuer.publicJwk.kid }])
    await test.asOwner(`update signing_keys set retired_at = now() - interval '16 minutes'
      where retired_at is not null`)
    await feed.refresh()
    expect(keyCache.signingKeys()).toEqual([next.publicJwk])
  })

  it('tries again after a failure', async () => {
    let away = true
    const signingKeys = createSigningKeys({
      store: {
        maintenance: (work) =>
          away ? Promise.reject(new Error('away')) : test.store.maintenance(work),
      },
      rootKeys: () => [first],
      publish: () => Promise.resolve(),
    })
    await expect(signingKeys.getIssuer()).rejects.toThrow('away')
    away = false
    expect((await signingKeys.getIssuer()).publicJwk.kid).toBeDefined()
  })
})
