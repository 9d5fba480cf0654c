import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { migrate } from '../migrate.ts'
import { withOwner } from '../owner.ts'
import { parseDatabaseUrl } from '../connection-target.ts'
import { exampleContraction, exampleExpansion } from '../testing/example-migrations.ts'
import { judgeMigration, readCatalog, type Judgement } from '../testing/judge-migration.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { migrations } from './index.ts'
import { requirementOf, type Migration } from './migration.ts'

/** Maps what the judge finds in a migration to the reason why it does no harm. Example: `0002-x: column a.b is another`. */
const accepted: Readonly<Record<string, string>> = {
  '0008-grants-for-keys: constraint access_grants_check of access_grants is gone':
    'older releases write no grant of a key, so they keep to it without being asked',
}

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

/** Runs one more migration after those of `list`, and judges it. */
function judge(list: readonly Migration[], step: Migration): Promise<Judgement> {
  return withOwner(parseDatabaseUrl(database.databaseUrl), async (client) => {
    await migrate(client, list, { log: silentLog })
    const before = await readCatalog(client)
    await migrate(client, [...list, step], { log: silentLog })
    return judgeMigration(before, await readCatalog(client), step)
  })
}

describe('the list of migrations', () => {
  // A database lists those that it has by their names, and a release compares the two lists place by place.
  it('is in the order of their names, so that a second start finds the database as the first has left it', () => {
    const names = migrations.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
  })
})

describe('a migration beside nodes of the release before it', () => {
  it('takes nothing away that these use, and does not keep them from writing', async () => {
    const findings: string[] = []
    for (const [before, step] of migrations.slice(1).entries()) {
      const { breaks, blocks } = await judge(migrations.slice(0, before + 1), step)
      const faults = step.compatibleFrom === undefined ? [...breaks, ...blocks] : blocks
      findings.push(...faults.map((fault) => `${step.name}: ${fault}`))
    }
    // An accepted finding that is no longer found has to go from the list.
    expect(findings).toEqual(Object.keys(accepted))
  })

  it('names a migration before itself where it takes away what these use', () => {
    const wrong = migrations.filter(
      ({ compatibleFrom }, index) =>
        compatibleFrom !== undefined &&
        !migrations.slice(0, index).some(({ name }) => name === compatibleFrom),
    )
    expect(wrong).toEqual([])
  })

  it('needs the newest of what the migrations before it need', () => {
    const step = (name: string, compatibleFrom?: string): Migration => ({
      name,
      sql: '',
      ...(compatibleFrom !== undefined && { compatibleFrom }),
    })
    const list = [step('0001-a'), step('0002-b'), step('0003-c', '0002-b'), step('0004-d')]
    expect([1, 2, 3, 4].map((count) => requirementOf(list.slice(0, count)))).toEqual([
      '0001-a',
      '0001-a',
      '0002-b',
      '0002-b',
    ])
  })
})

describe('two migrations of which the first expands and the second contracts', () => {
  const [released, expanded] = [migrations, [...migrations, exampleExpansion]]
  const contracted = [...expanded, exampleContraction]
  let other: TestDatabase
  beforeAll(async () => {
    other = await createTestDatabase()
  })
  afterAll(() => other.drop())
  const start = (list: readonly Migration[]) =>
    withOwner(parseDatabaseUrl(other.databaseUrl), (client) =>
      migrate(client, list, { log: silentLog }),
    )
  const refusal = { code: 'database_newer' }

  it('are judged so: the first only adds, the second takes away and names the first', async () => {
    expect(await judge(released, exampleExpansion)).toEqual({ breaks: [], blocks: [] })
    const { breaks, blocks } = await judge(expanded, exampleContraction)
    expect(blocks).toEqual([])
    expect(breaks).toContain('column environments.description is gone')
  })

  it('let a release start beside the one after it, in either direction, and refuse the one before that', async () => {
    expect(await start(released)).toBeUndefined()
    expect(await start(expanded)).toBeUndefined()
    // As after a crash, or on the way back.
    expect(await start(released)).toBe(exampleExpansion.name)
    await other.asOwner(
      `insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme')`,
    )
    await other.asOwner(
      `insert into environments (org_id, id, name, description) values ('org_1', 'env_1', 'live', 'Old')`,
    )
    expect(await other.asOwner('select summary from environments')).toEqual([{ summary: 'Old' }])
    expect(await start(contracted)).toBeUndefined()
    expect(await start(expanded)).toBe(exampleContraction.name)
    await expect(start(released)).rejects.toMatchObject(refusal)
  })

  it('control: a contraction that names nothing lets a release start that it breaks', async () => {
    const { compatibleFrom: _, ...silent } = exampleContraction
    const database = await createTestDatabase()
    const client = parseDatabaseUrl(database.databaseUrl)
    const bring = (list: readonly Migration[]) =>
      withOwner(client, (owner) => migrate(owner, list, { log: silentLog }))
    await bring([...expanded, silent])
    expect(await bring(released)).toBe(silent.name)
    await database.drop()
  })
})

/** Maps statements to what the judge finds in them. They run one after the other on one database. */
const planted: readonly (readonly [sql: string, breaks: string[], blocks: string[]])[] = [
  [
    `create table planted (id text primary key, org_id text not null unique); create index planted_by on planted (id, org_id);
     alter table deployments add column planted text; alter table deployments add column planted_count integer not null default 0;
     alter table deployments add constraint planted_check check (planted_count >= 0) not valid;
     update planted set id = '1'; create function planted_update() returns trigger language plpgsql as $$ begin update deployments set planted = ''; return new; end $$;
     grant select on planted to signalbox_app`,
    [],
    [],
  ],
  ['alter table deployments drop column planted', ['column deployments.planted is gone'], []],
  [
    'alter table deployments rename planted_count to planted_number',
    [
      'column deployments.planted_count is gone',
      'constraint planted_check of deployments is another',
    ],
    [],
  ],
  [
    'alter table deployments alter planted_number type bigint',
    ['column deployments.planted_number is another'],
    ['table deployments is rewritten'],
  ],
  [
    'alter table deployments alter planted_number drop default',
    ['column deployments.planted_number has lost its default'],
    [],
  ],
  [
    'alter table planted alter org_id drop not null; alter table planted add column other text',
    [],
    [],
  ],
  [
    'alter table planted alter other set not null',
    ['column planted.other has become not null'],
    [],
  ],
  [
    'alter table planted add column third text not null',
    ['column planted.third is not null and has no default'],
    [],
  ],
  [
    'alter table planted add column fourth uuid default gen_random_uuid()',
    [],
    ['table planted is rewritten'],
  ],
  [
    'create index planted_late on planted (other)',
    [],
    ['index planted_late of planted is not among the concurrent indexes'],
  ],
  [
    'create unique index planted_unique on planted (other)',
    ['index planted_unique of planted refuses what an older release may write'],
    ['index planted_unique of planted is not among the concurrent indexes'],
  ],
  [
    `alter table planted add constraint planted_all check (other <> '')`,
    [],
    ['constraint planted_all of planted reads every row: add it not valid'],
  ],
  [
    `do $$ begin update planted p set other = ''; end $$; delete from planted`,
    [],
    [
      'rows of planted are changed: let a job do that',
      'rows of planted are changed: let a job do that',
    ],
  ],
  [
    'revoke select on planted from signalbox_app',
    ['grant SELECT to signalbox_app of planted is gone'],
    [],
  ],
  ['drop function planted_update', ['function planted_update() is gone'], []],
  ['alter table planted rename to planted_else', ['table planted is gone'], []],
]

describe('control: the judge', () => {
  const list = [...migrations, exampleExpansion, exampleContraction]
  it.each(planted)('finds what is wrong with: %s', async (sql, breaks, blocks) => {
    const step = { name: `95${String(list.length).padStart(2, '0')}-planted`, sql }
    const judgement = await judge(list, step)
    list.push(step)
    expect(judgement.breaks).toEqual(expect.arrayContaining(breaks))
    expect(breaks.length === 0 ? judgement.breaks : []).toEqual([])
    expect(judgement.blocks).toEqual(expect.arrayContaining(blocks))
    expect(blocks.length === 0 ? judgement.blocks : []).toEqual([])
  })

  it('accepts an index that is made concurrently, also again after one that was left unfinished', async () => {
    const index = { name: 'planted_concurrent', on: 'planted_else (other)' }
    await database.asOwner('create index planted_concurrent on planted_else (other)')
    await database.asOwner(
      `update pg_index set indisvalid = false where indexrelid = 'planted_concurrent'::regclass`,
    )
    const step = { name: '9998-planted', sql: '', indexes: [index] }
    expect(await judge(list, step)).toEqual({ breaks: [], blocks: [] })
    const [made] = await database.asOwner<{ isValid: boolean }>(
      `select indisvalid as "isValid" from pg_index where indexrelid = 'planted_concurrent'::regclass`,
    )
    expect(made).toEqual({ isValid: true })
  })
})
