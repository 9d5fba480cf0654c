import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../configs/testing/open-config-app.ts'
import { exportDatabase } from '../store/export-database.ts'
import { importDatabase, type ImportOptions } from '../store/import-database.ts'
import { rawQuery } from '../store/raw-query.ts'
import { goOnFromHighest } from './go-on-from-highest.ts'

let app: ConfigApp
let [environmentId, schemaId, otherId] = ['', '', '']
/** Everything that somebody may have read: the content of each number, by the table of its audience. */
const seen = new Map<string, string>()
let file: Buffer

beforeAll(async () => {
  app = await openConfigApp()
  environmentId = await app.addEnvironment('production')
  otherId = await app.addEnvironment('other')
  schemaId = await app.addSchema('web', {
    title: { type: 'string', tier: 'public', default: 'none' },
    token: { type: 'string', default: 'x' },
  })
})
afterAll(() => app.close())

const write = (values: object, to = environmentId) =>
  app.ok('admin', 'PUT /config-values', { body: { schemaId, environmentId: to, values } })
const exported = async () => {
  const output = new PassThrough()
  const [bytes] = await Promise.all([
    buffer(output),
    exportDatabase(app.test.store, output, { now: () => new Date() }),
  ])
  return bytes
}
const importFile = (options: Partial<ImportOptions>) => {
  const input = new PassThrough()
  input.end(file)
  const rootKeyIds = app.rootKeys().map(({ id }) => id)
  return importDatabase(app.test.store, input, { rootKeyIds, replace: true, ...options })
}
const versionNow = async (column = 'version') => {
  const [row] = await app.test.asOwner<{ now: number }>(
    `select ${column} as now from current_values where environment_id = $1`,
    [environmentId],
  )
  return row?.now ?? 0
}

/** Fails where a number that was seen has another content now, or none of its own. */
async function noNumberComesTwice() {
  for (const table of ['server_snapshots', 'browser_snapshots']) {
    const rows = await app.test.asOwner<{ id: string; etag: string }>(
      `select concat_ws(' ', environment_id, version) as id, etag from ${table}`,
    )
    for (const { id, etag } of rows) {
      const key = `${table} ${id}`
      expect([key, seen.get(key) ?? etag]).toEqual([key, etag])
      seen.set(key, etag)
    }
  }
}

describe('an import of an older file', () => {
  it('goes on above every version that the replaced database had, also after a second one', async () => {
    // The database was made before this test, and no service has read the clock since.
    await app.test.asOwner('update believed_time set read_at = now()')
    for (const title of ['1', '2']) await write({ title })
    const atFile = await versionNow()
    file = await exported()
    // More in a moment than one each second.
    for (let step = 0; step < 12; step += 1) await write({ title: `lost ${step}` })
    await noNumberComesTwice()
    const highest = await versionNow()

    await importFile(goOnFromHighest(() => new Date()))
    await importFile(goOnFromHighest(() => new Date()))
    expect(await versionNow()).toBe(atFile)
    await write({ title: 'after' })
    expect(await versionNow()).toBeGreaterThan(highest)
    await write({ title: 'again' })
    await noNumberComesTwice()
  })

  it('keeps the history before the gap, and finds the version before one across it', async () => {
    const { body } = await app.ok(
      'admin',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
    const [, after, before] = body.items
    expect(body.items.map(({ version }: { version: number }) => version).slice(-3)).toEqual([
      3, 2, 1,
    ])
    expect(after.version - before.version).toBeGreaterThan(1)
    const { body: shown } = await app.ok('admin', `GET /config-versions/${after.id}`)
    expect(shown.against).toBe(before.id)
  })

  it('counts on by the seconds since the file where nothing is known of the lost database', async () => {
    await importFile({
      finish: async (tx) => {
        await rawQuery(tx, `update believed_time set read_at = read_at - interval '2 hours'`)
        await goOnFromHighest(() => new Date()).finish(tx)
      },
    })
    const atFile = await versionNow()
    await write({ title: 'lost database' })
    expect((await versionNow()) - atFile).toBeGreaterThan(7_200)
    expect((await versionNow('browser_version')) - atFile).toBeGreaterThan(7_200)
    await noNumberComesTwice()
  })

  it('ends what is deleted afterwards above every version that somebody has', async () => {
    const highest = await versionNow()
    await importFile(goOnFromHighest(() => new Date()))
    await app.ok('admin', `DELETE /environments/${environmentId}?force=true`)
    const [end] = await app.test.asOwner<{ version: number }>(
      'select version from server_snapshots where environment_id = $1 and body is null',
      [environmentId],
    )
    expect(end?.version).toBeGreaterThan(highest)
    await write({ title: 'elsewhere' }, otherId)
    await noNumberComesTwice()
  })
})
