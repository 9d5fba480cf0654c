import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installJobs } from '../packages/server/src/jobs/install-jobs.ts'
import { parseDatabaseUrl } from '../packages/server/src/store/connection-target.ts'
import { silentLog } from '../packages/server/src/store/log.ts'
import { withOwner } from '../packages/server/src/store/owner.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../packages/server/src/store/testing/test-database.ts'
import { isTestFile, root } from './architecture/source-files.ts'
import { handOnSql, madeAtRunTime } from './sql/made-at-run-time.ts'
import { checkStatements, type CheckedStatements } from './sql/check-statements.ts'
import { findStatements, openServerProgram, type ProgramStatements } from './sql/find-statements.ts'
import { filledForDelivery, tableOwners } from './sql/table-owners.ts'

const control = 'packages/server/src/configs/control.ts'

/** Breaks every rule once. */
const broken = `
import type { Tx } from '../store/store.ts'

const age = () => Promise.resolve('age')

export async function control(tx: Tx, which: 'name' | 'email', ids: string[]) {
  await tx.query<{ nom: string }>({ name: 'wrong-name', text: 'select name from schemas', values: [] })
  await tx.query<{ nom: string }>({ name: 'other-column', text: 'select name from environments', values: [] })
  await tx.query<{ revision: string }>({ name: 'wrong-type', text: 'select revision from environments', values: [] })
  await tx.query<{ parent_id: string }>({ name: 'null-column', text: 'select parent_id from environments', values: [] })
  await tx.query<{ name: string }>({
    name: 'null-join',
    text: 'select p.name from environments e left join environments p on p.id = e.parent_id',
    values: [],
  })
  await tx.query<{ at: Date }>({ name: 'null-max', text: 'select max(created_at) as at from environments', values: [] })
  await tx.query<{ ids: number[] }>({ name: 'wrong-element', text: 'select array_agg(id) as ids from environments group by name', values: [] })
  await tx.query<{ name: string }>({ name: 'foreign', text: \`select \${which} as name from users\`, values: [] })
  tx.send({ name: 'foreign', text: 'delete from members where user_id = any ($1)', values: [ids] })
  await tx.query({ name: 'unknown', text: \`select \${await age()}\`, values: [] })
}

export async function sound(tx: Tx) {
  await tx.query<{ id: string; parent: string; count: number; name: string | null; newest: Date }>({
    name: 'sound',
    text: \`with children as (select parent_id as parent, count(*) as count, max(created_at) as newest
        from environments where parent_id is not null group by parent_id)
      select e.id, c.parent, c.count, p.name, c.newest from environments e join children c on c.parent = e.id
        left join environments p on p.id = e.parent_id\`,
    values: [],
  })
}
`

let database: TestDatabase
let found: ProgramStatements
let checked: CheckedStatements

beforeAll(async () => {
  database = await createTestDatabase()
  const target = parseDatabaseUrl(database.databaseUrl)
  await installJobs(target, [], { log: silentLog })
  found = findStatements(openServerProgram({ [control]: broken }))
  checked = await withOwner(target, (client) => checkStatements(client, found))
}, 180_000)
afterAll(() => database.drop())

const inProduct = ({ path }: { readonly path: string }) => path !== control
const inControl = ({ path }: { readonly path: string }) => path === control
const details = (findings: readonly { readonly detail: string }[]) => [
  ...new Set(findings.map(({ detail }) => detail)),
]

describe('every statement of the server', () => {
  it('stands in the source, but for what is made at run time', () => {
    const statements = found.statements.filter(inProduct)
    console.log(
      `${statements.length} statements of ${new Set(statements.map(({ at }) => at)).size} calls were checked`,
    )
    expect(statements.length).toBeGreaterThan(400)
    expect(
      found.unknown.filter(inProduct).filter(({ path }) => !madeAtRunTime.includes(path)),
    ).toEqual([])
  })

  it('is made at run time for a backup and for jobs alone', () => {
    const importers = globSync('packages/server/src/**/*.ts', { cwd: root })
      .filter((path) => !isTestFile(path))
      .filter((path) => /from '[^']*\/raw-query\.ts'/.test(readFileSync(join(root, path), 'utf8')))
    expect(importers.sort()).toEqual(handOnSql)
  })

  it('is taken by PostgreSQL, and answers the columns, types and nulls that its row type declares', () => {
    const wrong = checked.wrong.filter(inProduct).map(({ path, detail }) => `${path} ${detail}`)
    expect(wrong).toEqual([])
  })

  it('has a name of its own', () => {
    expect(checked.ambiguous).toEqual(['foreign'])
  })

  it('control: what is wrong is found, and what is right is not', () => {
    expect(checked.wrong.filter(inControl).map(({ detail }) => detail)).toEqual([
      'wrong-name is refused: relation "schemas" does not exist',
      'other-column nom is no column',
      'other-column name is not in the row type',
      'wrong-type revision is integer, not string',
      'null-column parent_id may be null',
      'null-join name may be null',
      'null-max at may be null',
      'wrong-element ids is text[], not number[]',
    ])
    expect(found.unknown.filter(inControl)).toHaveLength(1)
  })
})

describe('every table', () => {
  it('has one owner', async () => {
    const rows = await database.asOwner<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual([...tableOwners.keys()].sort())
  })

  it('is written by its owner alone, and read by it and by read models', () => {
    expect(details(checked.foreign.filter(inProduct))).toEqual([])
  })

  it('is read by delivery where the database lets its role read it, and is filled for it', async () => {
    const granted = await database.asOwner<{ name: string }>(
      `select distinct table_name as name from information_schema.column_privileges
        where grantee = 'signalbox_delivery' and privilege_type = 'SELECT' and table_schema = 'public'`,
    )
    const names = granted.map(({ name }) => name)
    expect(filledForDelivery.filter((table) => !names.includes(table))).toEqual([])
    const others = names.filter((table) => !filledForDelivery.includes(table))
    // API keys, and what changed for people, are read as this role by their own features.
    expect(new Set(others.map((table) => tableOwners.get(table)))).toEqual(
      new Set(['identity', 'live']),
    )
  })

  it('control: reading and writing a table of another owner is found', () => {
    expect(details(checked.foreign.filter(inControl))).toEqual([
      'configs reads users',
      'configs writes members',
    ])
  })
})
