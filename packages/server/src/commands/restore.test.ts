import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installJobs } from '../jobs/install-jobs.ts'
import { parseDatabaseUrl } from '../store/connection-target.ts'
import { startEmbedded, type EmbeddedDatabase } from '../store/embedded/start-embedded.ts'
import { silentLog } from '../store/log.ts'
import { openStore } from '../store/open-store.ts'
import { withOwner } from '../store/owner.ts'
import { rawQuery } from '../store/raw-query.ts'

const run = promisify(execFile)
/** The programs of a PostgreSQL of this system that has all of them: npm has no pg_dump. */
const bin = globSync('/usr/lib/postgresql/*/bin/pg_dump')
  .map((path) => dirname(path))
  .find((folder) => existsSync(join(folder, 'initdb')))
if (bin === undefined) console.warn('SKIPPED: pg_dump is not here. Install the package postgresql.')

const roles = ['signalbox_app', 'signalbox_delivery', 'signalbox_maintenance']

describe.skipIf(bin === undefined)('a dump by the user that the guide asks for', () => {
  let directory: string
  let server: EmbeddedDatabase
  const urlOf = (user: string, database: string) => {
    const { host = '' } = server.target.hosts[0] ?? {}
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  }
  const query = (user: string, database: string, text: string) =>
    withOwner(parseDatabaseUrl(urlOf(user, database)), (client) => client.query(text))
  const asSuperuser = (text: string) => query(server.target.hosts[0]?.user ?? '', 'postgres', text)
  const start = (database: string) =>
    openStore({ source: { databaseUrl: urlOf('shop', database) }, log: silentLog })
  const program = (name: string, database: string, ...args: string[]) =>
    run(join(bin ?? '', name), ['--dbname', urlOf('shop', database), ...args]).then(
      () => '',
      (error: unknown) => String(Object(error).stderr),
    )
  const file = () => join(directory, 'signalbox.dump')

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
    await chmod(directory, 0o711)
    server = await startEmbedded({ dataDir: directory, log: silentLog, ownBin: bin })
    await asSuperuser('create role shop login createrole')
    for (const name of ['first', 'partial', 'second'])
      await asSuperuser(`create database ${name} owner shop`)
  })
  afterAll(async () => {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  })

  it('needs --enable-row-security, and then has everything; it is restored with the roles made first', async () => {
    const first = await start('first')
    await installJobs(first.target, [], { log: silentLog })
    await first.maintenance((tx) =>
      rawQuery(tx, `insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme')`),
    )
    await first.close()
    expect(await program('pg_dump', 'first', '-f', file())).toContain('row-level security')
    const dump = ['--enable-row-security', '--format=custom', '-f', file()]
    expect(await program('pg_dump', 'first', ...dump)).toBe('')

    // Another cluster has no such roles.
    for (const role of roles) await asSuperuser(`alter role ${role} rename to former_${role}`)
    expect(await program('pg_restore', 'partial', '--enable-row-security', file())).toContain(
      'role "signalbox_app" does not exist',
    )
    const refusal: unknown = await start('partial').catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'roles_missing' })
    const [, commands = ''] = String(Object(refusal).advice).split(/empty database: /)
    await query('shop', 'second', commands)
    // The roles alone bring no rights back.
    expect(await start('partial').catch((error: unknown) => error)).toMatchObject({
      code: 'roles_missing',
    })

    const restore = ['--enable-row-security', '--exit-on-error', file()]
    expect(await program('pg_restore', 'second', ...restore)).toBe('')
    const second = await start('second')
    const rows = await second.maintenance((tx) => rawQuery(tx, 'select slug from organizations'))
    expect(rows).toEqual([{ slug: 'acme' }])
    await second.close()
    const rights = `select (select count(*) from pg_policies) as policies,
      (select count(*) from information_schema.role_table_grants where grantee ~ 'signalbox') as grants`
    const [before, after] = [
      await query('shop', 'first', rights),
      await query('shop', 'second', rights),
    ]
    expect(after.rows).toEqual(before.rows)
  })
})
