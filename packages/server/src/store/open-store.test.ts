import { rm, symlink } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from './log.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { parseDatabaseUrl, type ConnectionTarget } from './connection-target.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openStore } from './open-store.ts'
import { withOwner } from './owner.ts'
import { createRolePool, requestLimits, type RolePool } from './role-pool.ts'
import {
  createTestDatabase,
  openTestStore,
  type TestDatabase,
  type TestStore,
} from './testing/test-database.ts'

let test: TestStore

const listEnvironments = { name: 'list', text: 'select org_id from environments', values: [] }

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name)
    values ('org_a', 'a', 'A'), ('org_b', 'b', 'B')`)
  await test.asOwner(`insert into environments (org_id, id, name)
    values ('org_a', 'env_a', 'production'), ('org_b', 'env_b', 'production')`)
})
afterAll(() => test.close())

describe('row level security', () => {
  it('shows nothing when no organization is set, also after one was set on the connection', async () => {
    await test.store.transaction({ orgId: 'org_a' }, (tx) => tx.query(listEnvironments))
    const rows = await test.store.transaction({ orgId: null }, (tx) => tx.query(listEnvironments))
    expect(rows).toEqual([])
  })

  it('does not bind maintenance, which crosses organizations', async () => {
    const rows = await test.store.maintenance((tx) => tx.query(listEnvironments))
    expect(rows).toHaveLength(2)
  })

  it('lets delivery read what is published and nothing else', async () => {
    const { delivery } = test.store
    const published = { name: 'published', text: 'select id from organizations', values: [] }
    expect(await delivery.query(published)).toHaveLength(2)
    await expect(delivery.query(listEnvironments)).rejects.toMatchObject({ code: '42501' })
    // Longer than a request waits: a node reads all API keys by one statement.
    const limit = { name: 'limit', text: 'show statement_timeout', values: [] }
    expect(await delivery.query(limit)).toEqual([{ statement_timeout: '1min' }])
    const write = { name: 'write', text: `update organizations set name = 'x'`, values: [] }
    await expect(delivery.query(write)).rejects.toMatchObject({ code: '42501' })
  })

  it('does not treat an organization id as SQL', async () => {
    const orgId = `org_a'; reset role; select '`
    const rows = await test.store.transaction({ orgId }, (tx) => tx.query(listEnvironments))
    expect(rows).toEqual([])
  })
})

describe('several hosts', () => {
  const places: TestDatabase[] = []
  const names: string[] = []
  const setReadOnly = (index: number, value: 'on' | 'off') =>
    test.asOwner(`alter database ${names[index]} set default_transaction_read_only = ${value}`)
  let target: ConnectionTarget

  beforeEach(async () => {
    places.push(await createTestDatabase(), await createTestDatabase())
    for (const place of places)
      names.push(...(await place.asOwner<{ name: string }>(nameSql)).map(({ name }) => name))
    target = { hosts: places.flatMap(({ databaseUrl }) => parseDatabaseUrl(databaseUrl).hosts) }
    await setReadOnly(0, 'on')
  })
  afterEach(async () => {
    for (const place of places.splice(0)) await place.drop()
    names.length = 0
  })
  const nameSql = 'select current_database() as name'
  const openPool = () =>
    createRolePool({ target, role: 'signalbox_app', max: 1, limits: requestLimits, log: silentLog })
  /** Answers the name of the database that the next statement runs in. */
  const askNext = async (pool: RolePool, end: 'release' | 'discard' = 'release') => {
    const connection = await pool.acquire()
    const { rows } = await connection.client.query<{ name: string }>(nameSql)
    connection[end]()
    return rows[0]?.name
  }

  it('are passed over while they take no writes, also by the migrations', async () => {
    const named = await withOwner(target, (client) => client.query<{ name: string }>(nameSql))
    expect(named.rows[0]?.name).toBe(names[1])
    const pool = openPool()
    expect(await askNext(pool)).toBe(names[1])
    await pool.close()
  })

  it('are looked at again after a connection was given up', async () => {
    const pool = openPool()
    expect(await askNext(pool, 'discard')).toBe(names[1])
    await setReadOnly(0, 'off')
    await setReadOnly(1, 'on')
    expect(await askNext(pool)).toBe(names[0])
    await pool.close()
  })

  it('are read while none takes writes, and left once one does', async () => {
    await setReadOnly(1, 'on')
    const pool = openPool()
    expect(names).toContain(await askNext(pool))
    await setReadOnly(0, 'off')
    expect(await askNext(pool)).toBe(names[0])
    await pool.close()
  })

  it('are named when a start finds none that takes writes', async () => {
    await setReadOnly(1, 'on')
    await expect(withOwner(target, () => Promise.resolve())).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.stringContaining('it accepts no writes'),
    })
  })
})

describe('openStore', () => {
  it.each(['superuser', 'bypassrls'])('refuses a role with %s', async (attribute) => {
    const role = `rogue_${attribute}`
    const database = await createTestDatabase()
    await database.asOwner(`create role rogue_${attribute} nologin ${attribute}`)
    await database.asOwner(`grant signalbox_app to rogue_${attribute}`)
    // Roles belong to the whole server, so the real one stays as it is for the tests beside this one.
    const target = parseDatabaseUrl(database.databaseUrl)
    const pool = createRolePool({ target, role, max: 1, limits: requestLimits, log: silentLog })
    await expect(pool.acquire()).rejects.toThrow(/superuser or has BYPASSRLS/)
    await pool.close()
    await database.asOwner(`drop role rogue_${attribute}`)
    await database.drop()
  })

  it('works for an owner who may create roles and is no superuser', async () => {
    const database = await createTestDatabase({ empty: true })
    const [{ name } = { name: '' }] = await database.asOwner<{ name: string }>(
      'select current_database() as name',
    )
    await database.asOwner(`create role owner_${name} login createrole`)
    await database.asOwner(`alter database ${name} owner to owner_${name}`)
    await database.asOwner(
      `grant signalbox_app, signalbox_delivery, signalbox_maintenance to owner_${name} with admin option`,
    )
    const databaseUrl = database.databaseUrl.replace(/\/\/[^@]*@/, `//owner_${name}@`)
    const store = await openStore({ source: { databaseUrl }, log: silentLog })
    expect(await store.check()).toEqual({ ok: true, detail: 'The database answers.' })
    await store.close()
    await database.drop()
    await test.asOwner(`drop role owner_${name}`)
  })

  it('is not well while its disk is full, also where nobody writes', async () => {
    const own = await openTestStore()
    expect(await own.store.check()).toMatchObject({ ok: true })
    const makeRoom = await fillForFiles(own)
    const detail = expect.stringContaining('no space left on its disk')
    expect(await own.store.check()).toEqual({ ok: false, detail })
    await makeRoom()
    expect(await own.store.check()).toEqual({ ok: true, detail: 'The database answers.' })
    await own.close()
  })

  it.each([
    ['well where nobody may have temporary files', 'temp_file_limit = 0', /answers/],
    ['not well while its database only reads', 'default_transaction_read_only = on', /no writes/],
  ])('is %s', async (_, setting, detail) => {
    const own = await openTestStore()
    await own.asOwner(
      `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
    )
    await own.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect
      .poll(() => own.store.check())
      .toEqual({ ok: setting.startsWith('temp'), detail: expect.stringMatching(detail) })
    await own.close()
  })

  it('opens a database of a newer version when that version allows older programs', async () => {
    const database = await createTestDatabase()
    const { name: newest } = migrations.at(-1) ?? { name: '' }
    await database.asOwner(
      `insert into signalbox_migrations (name, compatible_from) values ('9998-earlier', '0001-baseline'), ('9999-later', '${newest}')`,
    )
    const store = await openStore({
      source: { databaseUrl: database.databaseUrl },
      log: silentLog,
    })
    expect(store.newerMigration).toBe('9999-later')
    await store.close()
    await database.drop()
  })

  it('refuses a database that a newer version has migrated where that needs a later release', async () => {
    const database = await createTestDatabase()
    await database.asOwner(
      `insert into signalbox_migrations (name, compatible_from) values ('9999-later', '9998-earlier')`,
    )
    const opening = openStore({ source: { databaseUrl: database.databaseUrl }, log: silentLog })
    await expect(opening).rejects.toThrow(
      /newer than this Signalbox: it has the migration 9999-later/,
    )
    await database.drop()
  })

  it('gives up on a node that does not finish its migrations, with advice', async () => {
    const database = await createTestDatabase({ empty: true })
    const target = parseDatabaseUrl(database.databaseUrl)
    await withOwner(target, async (other) => {
      await other.query('select pg_advisory_lock($1, $2)', [...advisoryLocks.migration])
      const migrating = withOwner(target, (client) =>
        migrate(client, migrations, { log: silentLog, waitMs: 0 }),
      )
      await expect(migrating).rejects.toMatchObject({
        code: 'migration_under_way',
        advice: expect.stringContaining('Start again when it is done'),
      })
    })
    await database.drop()
  })

  it('lets two nodes bring an empty database up to date at the same moment', async () => {
    const database = await createTestDatabase({ empty: true })
    const source = { databaseUrl: database.databaseUrl }
    const stores = await Promise.all([1, 2].map(() => openStore({ source, log: silentLog })))
    const steps = await database.asOwner('select name from signalbox_migrations')
    expect(steps.length).toBe(migrations.length)
    await Promise.all(stores.map((store) => store.close()))
    await database.drop()
  })
})

/** Has the kernel say that there is no room for the files that the sessions of requests make next. Returns what ends that. */
async function fillForFiles(own: TestStore): Promise<() => Promise<unknown>> {
  const files = await own.asOwner<{ path: string }>(
    `select format('%s/base/pgsql_tmp/pgsql_tmp%s.%s', current_setting('data_directory'), pid, n) as path
      from pg_stat_activity, generate_series(0, 9) as n
      where datname = current_database() and application_name = 'signalbox_app'`,
  )
  await Promise.all(files.map(({ path }) => symlink('/dev/full', path)))
  return () => Promise.all(files.map(({ path }) => rm(path, { force: true })))
}
