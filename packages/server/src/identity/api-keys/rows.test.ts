import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import type { Tx } from '../../store/store.ts'
import {
  countApiKeys,
  endSecrets,
  findApiKey,
  listApiKeyRows,
  lockApiKey,
  markApiKeyRevoked,
  updateApiKeyRow,
} from './rows.ts'

let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(
    `insert into organizations (id, slug, name) values ('own', 'own', 'Own'), ('foreign', 'foreign', 'Foreign')`,
  )
})
beforeEach(() =>
  test.asOwner(`delete from api_keys;
    insert into api_keys (org_id, id, name, kind, created_by)
      values ('own', 'key_own', 'own', 'm2m', '{}'), ('foreign', 'key_foreign', 'foreign', 'm2m', '{}');
    insert into api_key_secrets (org_id, key_id, handle, hash)
      values ('own', 'key_own', 'h1', '\\x00'), ('foreign', 'key_foreign', 'h2', '\\x00')`),
)
afterAll(() => test.close())

/** Runs as the role that sees the rows of every organization: what is not found is not found by the statement itself. */
const ask = <T>(work: (tx: Tx) => Promise<T>) => test.store.maintenance(work)
const at = new Date('2026-01-01T00:00:00Z')
const foreign = { orgId: 'own', keyId: 'key_foreign' }

describe('the statements of API keys, without row level security', () => {
  it('find, lock, list and count no key of another organization', async () => {
    const { orgId, keyId } = foreign
    expect(await ask((tx) => findApiKey(tx, orgId, keyId))).toBeUndefined()
    expect(await ask((tx) => lockApiKey(tx, orgId, keyId))).toBe(false)
    const listed = await ask((tx) => listApiKeyRows(tx, orgId, { beforeId: undefined, limit: 10 }))
    expect(listed.map(({ id }) => id)).toEqual(['key_own'])
    expect(await ask((tx) => countApiKeys(tx, orgId))).toBe(1)
  })

  it('change, end and revoke no key of another organization', async () => {
    await ask(async (tx) => {
      await updateApiKeyRow(tx, foreign, { name: 'taken', expiresAt: at })
      await endSecrets(tx, { ...foreign, endsAt: at })
      await markApiKeyRevoked(tx, { ...foreign, revokedAt: at })
    })
    const stored = `select k.name, k.expires_at, k.revoked_at, s.expires_at as ends_at
      from api_keys k join api_key_secrets s on s.key_id = k.id where k.id = $1`
    const untouched = { name: 'foreign', expires_at: null, revoked_at: null, ends_at: null }
    expect(await test.asOwner(stored, ['key_foreign'])).toEqual([untouched])
    // The same statements reach the own one.
    const own = { orgId: 'own', keyId: 'key_own' }
    await ask(async (tx) => {
      await updateApiKeyRow(tx, own, { name: 'renamed', expiresAt: at })
      await endSecrets(tx, { ...own, endsAt: at })
      await markApiKeyRevoked(tx, { ...own, revokedAt: at })
    })
    const changed = { name: 'renamed', expires_at: at, revoked_at: at, ends_at: at }
    expect(await test.asOwner(stored, ['key_own'])).toEqual([changed])
  })
})
