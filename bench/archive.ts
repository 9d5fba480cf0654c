// P13c: what it costs to archive deployments that are deleted, and to read a timeline of two years.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../packages/server/src/store/log.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { migrations } from '../packages/server/src/store/migrations/index.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { withOwner } from '../packages/server/src/store/owner.ts'
import { measureArchiving, measurePages } from './growth/archive.ts'
import { sizeOf } from './growth/cost.ts'
import { deploymentsSql, withoutTriggers } from './growth/fill-sql.ts'
import { recordResult } from './record.ts'

/** Example: `node … bench/archive.ts 10000` for a look. */
const rows = Number(process.argv[2] ?? 1_000_000)
const deployments = rows / 4
const part = rows / 10
const slowerMost = 4

const directory = await mkdtemp(join(tmpdir(), 'signalbox-archive-'))
await chmod(directory, 0o711)
const source = { dataDir: directory, searchPath: process.env['PATH'] ?? '' }
const database = await openDatabase(source, silentLog)
try {
  const measured = await withOwner(database.target, async (client) => {
    await migrate(client, migrations, { log: silentLog })
    await client.query(
      `insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme'), ('org_2', 'too', 'Too')`,
    )
    await client.query(withoutTriggers)
    for (const sql of deploymentsSql)
      await client.query(sql, ['org_1', ['env_1', 'env_2', 'env_3', 'env_4'], 0, deployments])
    await client.query('vacuum analyze')
    const archiving = await measureArchiving(client, { deployments, part })
    console.error(JSON.stringify(archiving))
    const pages = await measurePages(client, rows)
    return { deployments, ...archiving, ...pages, sizeMiB: await sizeOf(client, 'archive') }
  })
  const all: Readonly<Record<string, number>> = measured
  const { deleted = 0, deletedMs = 0, archived = 0, archivedMs = 0, pageP50Ms, dropMs } = all
  const slower = Number((archivedMs / archived / (deletedMs / deleted)).toFixed(2))
  recordResult({
    figure: 'P13c',
    what: `${archived.toLocaleString('en')} old deployments archived and deleted, beside deleting alone`,
    reach: `<= ${slowerMost}x`,
    found: `${slower}x (${(archivedMs / 1000).toFixed(1)} s; a page of a timeline with ${rows.toLocaleString('en')} archived rows in 24 months is read in ${pageP50Ms} ms, and a month is dropped in ${dropMs} ms)`,
    reached: slower <= slowerMost,
    measured,
  })
} finally {
  await database.close()
  await rm(directory, { recursive: true, force: true })
}
