import { Readable, Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leastId, newId } from '../crypto/ids.ts'
import { exportDatabase } from './export-database.ts'
import { importDatabase, ImportRefused } from './import-database.ts'
import { openTestStore, type TestStore } from './testing/test-database.ts'

let source: TestStore
let target: TestStore
let file: Buffer

const now = () => new Date('2026-01-02T03:04:05Z')
/** As they were written, blanks and order included: their text is part of what a snapshot is told apart by. */
const rules = `{"newCheckout":[ {"when":[],"serve":{"percent":12.50}} ]}`
const odd = `tab\t line\n quote' " back\\ \u2028 emoji \u{1f600} null`

const webhooksAt = (day: string) => leastId('dlv', new Date(day))

/** Rows of every kind of column, among them an environment that points to one written after it. */
async function fill(test: TestStore): Promise<void> {
  await test.asOwner(`
    insert into root_keys (id, state) values ('rk_1', 'active');
    insert into users (id, email, name) values ('usr_1', 'a@example.org', $$${odd}$$);
    insert into organizations (id, slug, name) values ('org_a', 'a', 'A'), ('org_b', 'b', 'B');
    insert into members (org_id, user_id, role) values ('org_a', 'usr_1', 'owner');
    insert into data_keys (org_id, version, wrapped, root_key_id, seals)
      values ('org_a', 1, '\\x00ff10', 'rk_1', 9007199254740991);
    insert into environments (org_id, id, name) values ('org_a', 'env_1', 'development');
    insert into environments (org_id, id, name) values ('org_a', 'env_2', 'production');
    update environments set parent_id = 'env_2' where id = 'env_1';
    insert into api_keys (org_id, id, name, kind, environment_ids, created_by)
      values ('org_a', 'key_1', 'k', 'm2m', '{env_1,"env,2"}', '{"b": 1,  "a": [1.10]}');
    insert into browser_snapshots (org_id, schema_id, environment_id, version, schema_name,
      environment_name, etag, body, created_at)
      select 'org_a', 'sch_1', 'env_1', n, 's', 'e', 'x', repeat('body ', 100), '2026-01-01T00:00:00.123456Z'
      from generate_series(1, 1200) n;
    update browser_snapshots set flag_rules = '${rules}' where version = 7;
    insert into config_schemas (org_id, id, name, definition) values ('org_a', 'sch_1', 's', '{}');
    insert into current_values (org_id, schema_id, environment_id, open_values)
      values ('org_a', 'sch_1', 'env_1', '{"newCheckout":{"value":false,"rules":${rules}}}');
    insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes, open_values,
      flag_rules, secret_values)
      values ('org_a', 'sch_1', 'env_1', 1, 'ver_1', 'write', '{}', '[]', '{}', '${rules}', '{}');
    -- A partition that the target lacks.
    select add_partition('received_webhooks', 'received_webhooks_20400102', '${webhooksAt('2040-01-02')}', '${webhooksAt('2040-01-09')}');
    -- Two in the default partition, and two in those of weeks to come.
    insert into received_webhooks (id, provider, delivery_id, event, headers, body, origin)
      select id, 'github', id, 'push', '{}', '\\xff00', 'push'
      from unnest(array['dlv_00', '${newId('dlv', new Date(Date.now() + 7 * 86_400_000))}', '${webhooksAt('2040-01-03')}', 'dlv_z']) id;
  `)
}

async function exportToBuffer(test: TestStore, onProgress?: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  await exportDatabase(test.store, output, {
    now,
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  return Buffer.concat(chunks)
}

const options = { rootKeyIds: ['rk_1'] }
function importFrom(bytes: Buffer, overrides: { replace?: boolean; rootKeyIds?: string[] } = {}) {
  return importDatabase(target.store, Readable.from([bytes]), { ...options, ...overrides })
}

async function readAll(test: TestStore): Promise<Record<string, unknown[]>> {
  const tables = await test.asOwner<{ name: string }>(
    // Hints for who is looking on are not logged, and no part of an export.
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and relpersistence = 'p' and not relispartition and relname <> 'signalbox_migrations' order by 1`,
  )
  const all: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const rows = await test.asOwner<{ row: string }>(
      `select (to_jsonb(t) - 'changed_in')::text as row from ${name} t order by 1`,
    )
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

const countUsers = () => target.asOwner('select from users')

beforeAll(async () => {
  ;[source, target] = await Promise.all([openTestStore(), openTestStore()])
  await fill(source)
  file = await exportToBuffer(source)
})
afterAll(() => Promise.all([source.close(), target.close()]))

describe('importDatabase', () => {
  it.each([
    ['cut in the middle', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['without its last bytes', (bytes: Buffer) => bytes.subarray(0, -3)],
    ['with its last row missing', (bytes: Buffer) => withoutLine(bytes, -2)],
    ['without its trailer', (bytes: Buffer) => withoutLine(bytes, -1)],
    [
      'with one letter changed',
      (bytes: Buffer) => replaceText(bytes, 'development', 'development2'),
    ],
    ['that is no export', () => Buffer.from('hello')],
    ['that is empty', () => Buffer.alloc(0)],
  ])('refuses a file %s and stores nothing', async (_, damage) => {
    await expect(importFrom(damage(file))).rejects.toThrow(/damaged or incomplete/)
    expect(await countUsers()).toEqual([])
  })

  it('refuses a file whose secrets need another root key, before anything is written', async () => {
    const refused = importFrom(file, { rootKeyIds: ['rk_other'] })
    await expect(refused).rejects.toThrow(/sealed under the root key rk_1/)
    await expect(importFrom(file, { rootKeyIds: [] })).rejects.toBeInstanceOf(ImportRefused)
    expect(await countUsers()).toEqual([])
  })

  it('refuses a file of another version', async () => {
    const other = replaceText(file, '"0001-baseline"', '"0000-older"')
    await expect(importFrom(other)).rejects.toThrow(/Another version of Signalbox/)
  })

  it('stores what was exported, to the letter', async () => {
    await importFrom(file)
    expect(await readAll(target)).toEqual(await readAll(source))
  })

  it('stores each row in the partition that it had, also in one that was lacking', async () => {
    const sql = `select tableoid::regclass::text as partition, count(*)::int as rows from received_webhooks group by 1 order by 1`
    const partitions = await target.asOwner(sql)
    expect(partitions).toEqual(await source.asOwner(sql))
    expect(partitions).toContainEqual({ partition: 'received_webhooks_20400102', rows: 1 })
  })

  it('stores the rules of flags, to the letter, with the versions and what browsers are decided by', async () => {
    const texts = await target.asOwner<{ text: string }>(`
      select flag_rules::text as text from config_versions
      union all select flag_rules::text from browser_snapshots where version = 7
      union all select open_values -> 'newCheckout' ->> 'rules' from current_values`)
    expect(texts.map(({ text }) => text)).toEqual([rules, rules, rules])
  })

  it('counts every published row as changed by the import', async () => {
    const [row] = await target.asOwner<{ n: number }>(
      `select count(distinct changed_in)::int as n from (select changed_in from browser_snapshots
       union all select changed_in from api_keys union all select changed_in from organizations) t`,
    )
    expect(row).toEqual({ n: 1 })
  })

  it('refuses a database with rows, unless it may replace them', async () => {
    await expect(importFrom(file)).rejects.toThrow(/not empty/)
    await target.asOwner(`insert into organizations (id, slug, name) values ('org_z', 'z', 'Z')`)
    await importFrom(file, { replace: true })
    expect(await readAll(target)).toEqual(await readAll(source))
  })
})

describe('exportDatabase', () => {
  it('shows one moment, despite concurrent writes', async () => {
    let written: Promise<unknown> | undefined
    const bytes = await exportToBuffer(source, () => {
      written ??= source.asOwner(`insert into users (id, email, name) values ('usr_2', 'b@x', 'B')`)
    })
    await written
    expect(gunzipSync(bytes).toString()).not.toContain('usr_2')
    expect(await source.asOwner('select from users')).toHaveLength(2)
  })

  it('reports how far it is', async () => {
    const seen: number[] = []
    const output = new Writable({ write: (_chunk, _encoding, done) => done() })
    await exportDatabase(source.store, output, { now, onProgress: ({ rows }) => seen.push(rows) })
    expect(seen.length).toBeGreaterThan(3)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })
})

function withoutLine(bytes: Buffer, index: number): Buffer {
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n')
  return gzipSync(
    lines
      .toSpliced(index, 1)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function replaceText(bytes: Buffer, from: string, to: string): Buffer {
  return gzipSync(gunzipSync(bytes).toString().replace(from, to))
}
