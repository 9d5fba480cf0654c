import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../../crypto/tokens.ts'
import { rawQuery } from '../../store/raw-query.ts'
import type { Announcement, Tx } from '../../store/store.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createApiKeyFeed, type ApiKeyFeed, type ApiKeyFeedDeps } from './api-key-feed.ts'
import { createApiKeyCache } from './api-key-cache.ts'

let test: TestStore
const now = () => new Date()
const opened: ApiKeyFeed[] = []
beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_a', 'a', 'A')`)
})
afterEach(() => {
  for (const feed of opened.splice(0)) feed.close()
})
afterAll(() => test.close())

function openFeed(overrides: Partial<ApiKeyFeedDeps> = {}) {
  const keyCache = createApiKeyCache()
  const feed = createApiKeyFeed({ store: test.store, keyCache, log: silentLog, now, ...overrides })
  opened.push(feed)
  return { keyCache, feed }
}

async function insertKey(
  tx: Tx,
  {
    keyId,
    handle,
    hash,
  }: { readonly keyId: string; readonly handle: string; readonly hash: Buffer },
) {
  const keySql = `insert into api_keys (org_id, id, name, kind, created_by) values ('org_a', $1, 'n', 'b2m', '{}')`
  await rawQuery(tx, keySql, [keyId])
  const secretSql = `insert into api_key_secrets (org_id, key_id, handle, hash) values ('org_a', $1, $2, $3)`
  await rawQuery(tx, secretSql, [keyId, handle, hash])
}

async function addKey(keyId: string) {
  const { handle, hash } = newToken('b2m')
  await test.store.transaction({ orgId: 'org_a' }, (tx) => insertKey(tx, { keyId, handle, hash }))
  return { handle, hash }
}

const revoke = (keyId: string) =>
  test.store.transaction({ orgId: 'org_a' }, (tx) =>
    rawQuery(tx, 'update api_keys set revoked_at = now() where id = $1', [keyId]),
  )

describe('createApiKeyFeed', () => {
  it('reads what is there, through the role that delivery has', async () => {
    const { handle, hash } = await addKey('key_first')
    const { keyCache, feed } = openFeed()
    expect(feed.isLoaded()).toBe(false)
    await feed.refresh()
    expect(feed.isLoaded()).toBe(true)
    expect(keyCache.findKey(handle)).toMatchObject({ keyId: 'key_first', hash, revokedAt: null })
    expect(keyCache.findOrganization('a')?.id).toBe('org_a')
  })

  it('reads only what changed after the first look', async () => {
    const asked: unknown[] = []
    const delivery: ApiKeyFeedDeps['store']['delivery'] = {
      query: (statement) => {
        asked.push(statement.values[0])
        return test.store.delivery.query(statement)
      },
    }
    const { keyCache, feed } = openFeed({ store: { delivery, onAnnounce: () => () => {} } })
    await feed.refresh()
    const { handle } = await addKey('key_second')
    await feed.refresh()
    expect(keyCache.findKey(handle)).toBeDefined()
    expect(asked[0]).toBe('0')
    expect(Number(asked[1])).toBeGreaterThan(0)
  })

  it('sees a row whose transaction was open during an earlier look', async () => {
    const { keyCache, feed } = openFeed()
    const { handle, hash } = newToken('m2m')
    await test.store.transaction({ orgId: 'org_a' }, async (tx) => {
      await insertKey(tx, { keyId: 'key_slow', handle, hash })
      await addKey('key_fast')
      await feed.refresh()
      await feed.refresh()
      expect(keyCache.findKey(handle)).toBeUndefined()
    })
    await feed.refresh()
    expect(keyCache.findKey(handle)?.keyId).toBe('key_slow')
  })

  it('carries a revocation to a node that hears no announcement, within one look', async () => {
    const { handle } = await addKey('key_revoked')
    const silent = { delivery: test.store.delivery, onAnnounce: () => () => {} }
    const { keyCache, feed } = openFeed({ store: silent })
    feed.start()
    await expect.poll(() => keyCache.findKey(handle)?.revokedAt).toBeNull()
    await revoke('key_revoked')
    await expect.poll(() => keyCache.findKey(handle)?.revokedAt).toBeInstanceOf(Date)
  })

  it('control: without looking, a revocation never arrives', async () => {
    const { handle } = await addKey('key_unseen')
    const { keyCache, feed } = openFeed()
    await feed.refresh()
    await revoke('key_unseen')
    expect(keyCache.findKey(handle)?.revokedAt).toBeNull()
    await feed.refresh()
    expect(keyCache.findKey(handle)?.revokedAt).toBeInstanceOf(Date)
  })

  it('looks at once after an announcement', async () => {
    const { handle } = await addKey('key_announced')
    const { keyCache, feed } = openFeed({ intervalMs: 60_000 })
    feed.start()
    await expect.poll(() => keyCache.findKey(handle)?.revokedAt).toBeNull()
    await revoke('key_announced')
    test.store.announce('credentials')
    await expect.poll(() => keyCache.findKey(handle)?.revokedAt).toBeInstanceOf(Date)
  })

  it('reads everything again once it listens again, because an import may have come between', async () => {
    const { handle } = await addKey('key_vanished')
    const listeners: ((announcement: Announcement) => void)[] = []
    const { keyCache, feed } = openFeed({
      store: {
        delivery: test.store.delivery,
        onAnnounce: (_, listener) => {
          listeners.push(listener)
          return () => {}
        },
      },
    })
    feed.start()
    await feed.refresh()
    await test.asOwner(`delete from api_keys where id = 'key_vanished'`)
    for (const listener of listeners) listener('committed')
    await feed.refresh()
    expect(keyCache.findKey(handle)).toBeDefined()
    for (const listener of listeners) listener('joined')
    await feed.refresh()
    expect(keyCache.findKey(handle)).toBeUndefined()
  })

  it('gives whoever asks during a look the next one', async () => {
    const { keyCache, feed } = openFeed()
    const first = feed.refresh()
    const { handle } = await addKey('key_own')
    const second = feed.refresh()
    await second
    expect(keyCache.findKey(handle)).toBeDefined()
    await first
  })

  it('goes on after the database was away, and forgets rows that are gone at the next reload', async () => {
    let away = true
    const delivery: ApiKeyFeedDeps['store']['delivery'] = {
      query: (statement) =>
        away ? Promise.reject(new Error('away')) : test.store.delivery.query(statement),
    }
    const { keyCache, feed } = openFeed({
      store: { delivery, onAnnounce: () => () => {} },
      pollsPerReload: 2,
    })
    await expect(feed.refresh()).rejects.toThrow('away')
    away = false
    const { handle } = await addKey('key_gone')
    await feed.refresh()
    expect(keyCache.findKey(handle)).toBeDefined()
    await test.asOwner(`delete from api_keys where id = 'key_gone'`)
    await feed.refresh()
    await feed.refresh()
    expect(keyCache.findKey(handle)).toBeUndefined()
  })
})
