import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { runServerHere } from './testing/server-process.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

const migrate = (...options: string[]) =>
  runServerHere({
    args: ['migrate', ...options],
    // As an upgrade hook runs it: with the database alone, and without the root key.
    env: { DATABASE_URL: database.databaseUrl, SIGNALBOX_ROLES: 'delivery' },
  })

it('creates the tables of an empty database, needs no root key, and changes nothing when it is called again', async () => {
  const first = await migrate()
  expect(first).toMatchObject({ exitCode: 0, stdout: 'The database is up to date.\n' })
  expect(first.stderr).toContain('Created the tables of a new database')
  const [before] = await database.asOwner(
    'select count(*), max(applied_at) from signalbox_migrations',
  )
  const again = await migrate('--json')
  expect(again).toMatchObject({ exitCode: 0, stdout: '{"migrated":[]}\n', stderr: '' })
  const [after] = await database.asOwner(
    'select count(*), max(applied_at) from signalbox_migrations',
  )
  expect(after).toEqual(before)
  expect(Number(before?.['count'])).toBeGreaterThan(0)
})
