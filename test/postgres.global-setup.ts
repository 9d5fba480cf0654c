import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installJobs } from '../packages/server/src/jobs/install-jobs.ts'
import { startEmbedded } from '../packages/server/src/store/embedded/start-embedded.ts'
import { isAlive } from '../packages/server/src/store/embedded/server-process.ts'
import { stopServer } from '../packages/server/src/store/embedded/postmaster.ts'
import { silentLog } from '../packages/server/src/store/log.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { migrations } from '../packages/server/src/store/migrations/index.ts'
import { withOwner } from '../packages/server/src/store/owner.ts'
import { parseDatabaseUrl } from '../packages/server/src/store/connection-target.ts'
import { templateDatabase } from '../packages/server/src/store/testing/template-database.ts'

const prefix = 'signalbox-test-'

/** Stops and removes what test runs that were killed left behind. */
async function sweep(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (pid > 0 && !(await isAlive(pid))) {
      await stopServer(join(tmpdir(), name, 'postgres'))
      await rm(join(tmpdir(), name), { recursive: true, force: true })
    }
  }
}

/** Starts one real PostgreSQL for the whole test run, with a migrated database to copy from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep()
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(dataDir, 0o711)
  const embedded = await startEmbedded({
    dataDir,
    log: silentLog,
    searchPath: process.env['PATH'] ?? '',
    // Each worker may run three nodes at once.
    connectionsMax: 600,
  })
  const { host, user } = embedded.target.hosts[0] ?? {}
  const urlOf = (database: string) =>
    `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  await withOwner(parseDatabaseUrl(urlOf('postgres')), async (client) => {
    await client.query(`create database ${templateDatabase}`)
    // The proofs test crashes on databases of their own, so no other test has to wait for the disk.
    await client.query('alter role all set synchronous_commit = off')
  })
  const template = parseDatabaseUrl(urlOf(templateDatabase))
  await withOwner(template, (client) => migrate(client, migrations, { log: silentLog }))
  // Each of hundreds of services would make the same tables again.
  await installJobs(template, [], { log: silentLog })
  project.provide('postgresUrl', urlOf('postgres'))
  return async () => {
    await embedded.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
