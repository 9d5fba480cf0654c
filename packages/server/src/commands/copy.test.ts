import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings.ts'
import { startService } from '../start/start-service.ts'
import { advisoryLocks } from '../store/advisory-locks.ts'
import { readPostmasterFile } from '../store/embedded/lock-files.ts'
import { isAlive } from '../store/embedded/server-process.ts'
import { stopServer } from '../store/embedded/postmaster.ts'
import { renameFlushed } from '../store/whole-file.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { silentLog } from '../telemetry/log.ts'
import { killServers, runServerHere, spawnServer } from './testing/server-process.ts'

let base: string
let database: TestDatabase
let file: string
const rootKey = { SIGNALBOX_ROOT_KEY: 'A'.repeat(43) }

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(base, 0o711)
  database = await createTestDatabase()
  file = join(base, 'backup.signalbox')
  await runServerHere({ args: ['export', file], env: given() })
})
afterAll(async () => {
  await killServers()
  for (const name of await readdir(base)) await stopServer(join(base, name, 'postgres'))
  await database.drop()
  await rm(base, { recursive: true, force: true })
})

const given = () => ({
  ...rootKey,
  DATABASE_URL: database.databaseUrl,
  SIGNALBOX_DATA_DIR: join(base, 'given'),
})
/** The locks of the nodes on this database: others of the same server run beside this test. */
const nodeLocks = `select from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.objid = ${advisoryLocks.nodes[1]} and d.datname = current_database()`
const embedded = (name: string) => ({ SIGNALBOX_DATA_DIR: join(base, name) })

describe('export', () => {
  it('writes a file that nobody but its owner can read', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is flushed before the file gets its name', async () => {
    const [draft, path] = [join(base, 'draft'), join(base, 'whole')]
    const written = await open(draft, 'w')
    const flush = written.sync.bind(written)
    const isNamed: boolean[] = []
    written.sync = async () => {
      await flush()
      isNamed.push(existsSync(path))
    }
    await written.writeFile('all of it')
    await renameFlushed(written, draft, path)
    await written.close()
    expect(isNamed).toEqual([false])
    expect([await readFile(path, 'utf8'), existsSync(draft)]).toEqual(['all of it', false])
  })

  it.each([
    ['into a directory that is not there', 'nodir/x.sbx', 'there is no such file or directory'],
    ['over a directory', '.', 'it is a directory'],
  ])('refuses to write %s, in one sentence, and opens no database', async (_, name, reason) => {
    await mkdir(join(base, 'unopened'), { recursive: true })
    const path = join(base, name)
    const options = { args: ['export', path], env: embedded('unopened') }
    const { exitCode, stderr } = await runServerHere(options)
    expect(stderr).toBe(`✗ ${path} cannot be written: ${reason}.\n`)
    expect(exitCode).toBe(2)
    expect(await readdir(join(base, 'unopened'))).toEqual([])
  })
})

describe('import', () => {
  it('refuses a file that is not there, in one sentence, and makes nothing', async () => {
    const env = embedded('missing')
    const path = join(base, 'none.sbx')
    const { exitCode, stderr } = await runServerHere({ args: ['import', path], env })
    expect(stderr).toBe(`✗ ${path} cannot be read: there is no such file or directory.\n`)
    expect(exitCode).toBe(2)
    expect(existsSync(env.SIGNALBOX_DATA_DIR)).toBe(false)
  })

  it('takes back the database and every file it has made when the import fails', async () => {
    const env = embedded('fresh')
    await writeFile(join(base, 'damaged'), 'no export')
    const { exitCode, stderr } = await runServerHere({
      args: ['import', join(base, 'damaged')],
      env,
    })
    expect(stderr).toContain('✗ The file is damaged or incomplete.')
    expect(exitCode).toBe(1)
    expect(existsSync(env.SIGNALBOX_DATA_DIR)).toBe(false)
  })

  it('leaves what was there before it failed', async () => {
    const env = embedded('kept')
    await mkdir(env.SIGNALBOX_DATA_DIR, { mode: 0o711 })
    await writeFile(join(env.SIGNALBOX_DATA_DIR, 'notes'), 'mine')
    await runServerHere({ args: ['import', join(base, 'damaged')], env })
    expect(await readdir(env.SIGNALBOX_DATA_DIR)).toEqual(['notes'])
  })

  it('stops its database and takes everything back when it is interrupted', async () => {
    const env = embedded('interrupted')
    const cluster = join(env.SIGNALBOX_DATA_DIR, 'postgres')
    const command = spawnServer({ args: ['import', file], env: { ...env, ...rootKey } })
    await expect
      .poll(() => readPostmasterFile(cluster), { timeout: 20_000, interval: 2 })
      .toBeDefined()
    const server = await readPostmasterFile(cluster)
    command.child.kill('SIGTERM')
    expect(await command.ended).toMatchObject({ exitCode: 130, stderr: '✗ Interrupted.\n' })
    expect(await isAlive(server?.pid ?? 0)).toBe(false)
    expect(existsSync(env.SIGNALBOX_DATA_DIR)).toBe(false)
  })

  it('names --force where there is something to replace', async () => {
    await database.asOwner(`insert into organizations (id, slug, name) values ('org_a', 'a', 'A')`)
    const { exitCode, stderr } = await runServerHere({
      args: ['import', file, '--json'],
      env: given(),
    })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'database_not_empty',
      hint: expect.stringContaining('--force'),
    })
    expect(exitCode).toBe(1)
  })

  it('is refused while a node runs on the database, and not afterwards', async () => {
    const node = await startService(
      readSettings({ ...given(), SIGNALBOX_API_PORT: '0', SIGNALBOX_DELIVERY_PORT: '0' }),
      silentLog,
    )
    const replace = { args: ['import', '--force', file, '--json'], env: given() }
    // A node listens within moments of its start.
    await expect.poll(() => database.asOwner(nodeLocks)).toHaveLength(1)
    const refused = await runServerHere(replace)
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'database_in_use',
      hint: expect.stringContaining('Stop every node first'),
    })
    expect(await database.asOwner('select from organizations')).toHaveLength(1)
    await node.close()
    // Events that no receiver has yet go with what is replaced, and the command says so.
    await database.asOwner(`insert into audit_outlets (name) values ('otlp'), ('ndjson')`)
    await database.asOwner(`insert into audit_chains values ('org_a', 5, 'x')`)
    await database.asOwner(`insert into audit_positions (outlet, org_id, sequence, moved_at)
      values ('otlp', 'org_a', 2, now()), ('ndjson', 'org_a', 5, now())`)
    const replaced = await runServerHere(replace)
    expect(replaced).toMatchObject({ exitCode: 0, stderr: '' })
    const { auditEventsLost } = JSON.parse(replaced.stdout)
    // The start of the node has events of its own.
    expect(auditEventsLost.otlp - (auditEventsLost.ndjson ?? 0)).toBe(3)
    expect(await database.asOwner('select from organizations')).toHaveLength(0)
  })

  it('is refused while the service runs on the data directory', async () => {
    const env = embedded('served')
    const service = spawnServer({ args: ['start', '--json'], env })
    await expect.poll(() => service.output(), { timeout: 30_000 }).toContain('"event":"started"')
    const { exitCode, stderr } = await runServerHere({ args: ['import', '--force', file], env })
    expect(stderr).toContain(`✗ Another Signalbox (process ${service.child.pid}) is running on`)
    expect(stderr).toContain('fix: Stop it')
    expect(exitCode).toBe(1)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ exitCode: 0 })
  })
})
