import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { purgeExpired } from './purge-expired.ts'

/** A Wednesday: 30 days before is a Monday, on which webhooks of the week before go. */
const now = () => new Date('2026-11-25T00:00:00.000Z')
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada')`)
})
afterAll(() => test.close())

/** Says how a row is added whose moment is `$2`, and how long it is kept. */
const kinds = [
  {
    name: 'a webhook of a time without a partition, whatever came of it',
    table: 'received_webhooks_default',
    insert: `insert into received_webhooks (id, provider, delivery_id, event, headers, body, state, origin, received_at)
      values ('dlv_z' || $1, 'github', $1, 'push', '{}', '', 'dead', 'push', $2)`,
    days: 30,
  },
  {
    name: 'a way back from a provider that nobody took',
    table: 'oauth_states',
    insert: `insert into oauth_states (org_id, nonce_hash, user_id, provider, cookie_hash, expires_at)
      values ('org_1', $1::text::bytea, 'usr_1', 'jira', '', $2)`,
    days: 1,
  },
  {
    name: 'a way back from an OpenID provider that nobody took',
    table: 'oidc_attempts',
    insert: `insert into oidc_attempts (state_hash, cookie_hash, purpose, created_at, expires_at)
      values ($1::text::bytea, '', 'sign_in', $2, $2)`,
    days: 1,
  },
  {
    name: 'a device that asked to be let in',
    table: 'device_authorizations',
    insert: `insert into device_authorizations (device_code_hash, user_code_hash, device_name, ip, interval_seconds,
        created_at, expires_at) values ($1::text::bytea, $1::text::bytea, '', '', 5, $2, $2)`,
    days: 1,
  },
  {
    name: 'an invitation that nobody accepted in time',
    table: 'invitations',
    insert: `insert into invitations (org_id, id, email, role, token_hash, invited_by, created_at, expires_at)
      values ('org_1', $1, $1 || '@example.com', 'viewer', sha256($1::text::bytea), '{}', $2, $2)`,
    days: 30,
  },
  {
    name: 'a job that failed for good',
    table: 'failed_jobs',
    insert: `insert into failed_jobs (id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
      values ($1, 'q', gen_random_uuid(), '{}', sha256($1::text::bytea), 'failed', 'r', 1, $2)`,
    days: 30,
  },
  {
    name: 'a message that somebody deleted',
    table: 'notifications',
    insert: `insert into notifications (org_id, id, subject_kind, subject_id, state, updated_at)
      values ('org_1', $1, 'deployment', $1, 'gone', $2)`,
    days: 90,
  },
  {
    name: 'the answer to a request that may be repeated',
    table: 'idempotency_keys',
    insert: `insert into idempotency_keys (org_id, credential_id, route, key, request_hash, created_at)
      values ('org_1', 'key_1', 'createSchema', $1, '', $2)`,
    days: 1,
  },
  {
    name: 'the place of a snapshot that is gone',
    table: 'browser_snapshots',
    insert: `insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name, environment_name, etag,
        created_at) values ('org_1', $1, 'env_1', 1, 's', 'e', '', $2)`,
    days: 7,
  },
] as const

async function count(table: string): Promise<number> {
  return (await test.asOwner(`select from ${table}`)).length
}

describe.each(kinds)('$name', ({ table, insert, days }) => {
  it(`is kept for ${days} days to the second, and then removed in batches`, async () => {
    const limit = now().getTime() - days * 86_400_000
    const young = [0, 1_000, 86_400_000]
    const old = [-1_000, -2_000, -86_400_000, -90 * 86_400_000, -400 * 86_400_000]
    for (const offset of [...young, ...old]) {
      await test.asOwner(insert, [`${table} ${offset}`, new Date(limit + offset)])
    }
    const done: number[] = []
    const store: Pick<TestStore['store'], 'maintenance'> = {
      maintenance: async (work) => {
        const result = await test.store.maintenance(work)
        if (Array.isArray(result)) done.push(result.length)
        return result
      },
    }
    await purgeExpired({ store, now, batch: 2 })
    expect(await count(table)).toBe(young.length)
    expect(done.filter((removed) => removed > 0)).toEqual([2, 2, 1])
    await purgeExpired({ store, now, batch: 2 })
    expect(await count(table)).toBe(young.length)
    await test.asOwner(`delete from ${table}`)
  })
})

describe('a secret of an API key', () => {
  it('goes 30 days after its end, but for the newest of its key', async () => {
    await test.asOwner(`insert into api_keys (org_id, id, name, kind, created_by)
      select 'org_1', id, id, 'm2m', '{}' from unnest(array['used', 'revoked']) id`)
    const limit = now().getTime() - 30 * 86_400_000
    for (const [key, handle, created, ends] of [
      ['used', 'a', 1, limit - 1_000],
      ['used', 'b', 2, limit],
      ['used', 'c', 3, null],
      ['revoked', 'd', 1, limit - 1_000],
      ['revoked', 'e', 2, limit - 1_000],
    ] as const)
      await test.asOwner(
        `insert into api_key_secrets (org_id, key_id, handle, hash, created_at, expires_at) values ('org_1', $1, $2, '', $3, $4)`,
        [key, handle, new Date(created), ends === null ? null : new Date(ends)],
      )
    await purgeExpired({ store: test.store, now })
    const left = await test.asOwner<{ handle: string }>(
      'select handle from api_key_secrets order by 1',
    )
    expect(left.map(({ handle }) => handle)).toEqual(['b', 'c', 'e'])
  })
})

describe('a message that stands', () => {
  it('is kept however old it is', async () => {
    await test.asOwner(`insert into notifications (org_id, id, subject_kind, subject_id, state, updated_at)
      values ('org_1', 'ntf_1', 'deployment', 'dep_1', 'live', '2020-01-01')`)
    await purgeExpired({ store: test.store, now })
    expect(await count('notifications')).toBe(1)
  })
})
