import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { DataDirectoryInUse } from './data-directory-in-use.ts'
import { readPostmasterFile } from './lock-files.ts'
import { stopServer } from './postmaster.ts'
import { chooseRunAs } from './run-as.ts'
import { isAlive } from './server-process.ts'
import { attachEmbedded, startEmbedded, type EmbeddedDatabase } from './start-embedded.ts'
import { isReachable } from './testing/is-reachable.ts'

let dataDir: string
/** Has a database that was stopped. */
let usedDataDir: string
const open: EmbeddedDatabase[] = []
const children: ChildProcess[] = []
const options = () => ({ dataDir, log: silentLog })
const cluster = () => join(dataDir, 'postgres')
const socketLock = () => join(dataDir, 'run', '.s.PGSQL.5432.lock')

/** Holds whether root can start a program without the right to look into processes of others, as containers do. */
const mayDropRights = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv')

async function start(overrides: { readonly systemDir?: string } = {}) {
  const database = await startEmbedded({ ...options(), ...overrides })
  open.push(database)
  return database
}

async function query(database: Pick<EmbeddedDatabase, 'target'>, sql: string) {
  const client = new pg.Client({ ...database.target.hosts[0], connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    client.end().catch(() => undefined)
  }
}

async function until<T>(probe: () => Promise<T>): Promise<T> {
  const limit = performance.now() + 30_000
  for (;;) {
    try {
      return await probe()
    } catch (error) {
      if (performance.now() > limit) throw error
    }
    await delay(20)
  }
}

async function serverPid(): Promise<number> {
  return (await readPostmasterFile(cluster()))?.pid ?? 0
}

/** Starts another Node process that opens the same data directory, and answers its first line. */
async function startElsewhere(
  runAs: { uid?: number; gid?: number } = {},
  prefix: readonly string[] = [],
): Promise<{ child: ChildProcess; line: string }> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'start-embedded.ts'))}
    const log = { info() {}, warn() {}, error() {} }
    try {
      const { origin } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log })
      console.log(origin)
      setInterval(() => {}, 1000)
    } catch (error) { console.log(error.message) }`
  const options = ['--conditions=@signalbox/source', '--input-type=module', '-e', script]
  const [program = '', ...args] = [...prefix, process.execPath, ...options]
  const child = spawn(program, args, { ...runAs, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, line: String(line) }
}

async function createDataDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  await chmod(path, 0o711)
  return path
}

/** Begins with a database that is there already: to create one takes a second of processor time. */
const copyDatabase = (to = dataDir) => execFileSync('cp', ['-a', `${usedDataDir}/.`, to])

beforeAll(async () => {
  usedDataDir = await createDataDir()
  const database = await startEmbedded({ dataDir: usedDataDir, log: silentLog })
  await database.close()
})
afterAll(() => rm(usedDataDir, { recursive: true, force: true }))

beforeEach(async () => {
  dataDir = await createDataDir()
})

afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await stopServer(cluster())
  await rm(dataDir, { recursive: true, force: true })
})

describe('startEmbedded', () => {
  it('creates a durable database that listens on no network address', async () => {
    const database = await start()
    expect(database.origin).toBe('created')
    const [settings] = await query(
      database,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
         current_setting('data_checksums') as checksums, current_setting('listen_addresses') as addresses,
         datcollate as collation, datlocprovider as provider
       from pg_database where datname = current_database()`,
    )
    expect(settings).toMatchObject({ fsync: 'on', commit: 'on', checksums: 'on', addresses: '' })
  })

  it('keeps its rows over a stop, and stops completely', async () => {
    copyDatabase()
    const first = await start()
    await query(first, 'create table kept (n int); insert into kept values (7)')
    const pid = await serverPid()
    await first.close()
    expect(await isAlive(pid)).toBe(false)
    const second = await start()
    expect(second.origin).toBe('started')
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('adopts the server of a process that was killed', async () => {
    copyDatabase()
    const { child, line } = await startElsewhere()
    expect(line).toBe('started')
    const pid = await serverPid()
    child.kill('SIGKILL')
    await once(child, 'exit')
    const database = await start()
    expect(database.origin).toBe('adopted')
    expect(await serverPid()).toBe(pid)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('refuses a second process on the same data directory and names the first', async () => {
    copyDatabase()
    const { child } = await startElsewhere()
    const refused = await startEmbedded(options()).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DataDirectoryInUse)
    expect(refused).toMatchObject({ pid: child.pid })
    expect(String(refused)).toContain(`process ${child.pid}`)
  })

  it('lets only one of two processes that start at the same moment create the database', async () => {
    const [mine, other] = await Promise.allSettled([start(), startElsewhere()])
    const outcomes = [
      mine.status === 'fulfilled' ? mine.value.origin : String(mine.reason),
      other.status === 'fulfilled' ? other.value.line : '',
    ]
    expect(outcomes.filter((outcome) => outcome.includes('Another Signalbox'))).toHaveLength(1)
  })

  it('restarts a killed server and keeps every acknowledged row', async () => {
    copyDatabase()
    const database = await start()
    await query(database, 'create table acked (n int)')
    const client = new pg.Client({ ...database.target.hosts[0] })
    client.on('error', () => undefined)
    await client.connect()
    const pid = await serverPid()
    let acked = 0
    const writing = (async () => {
      for (;;) {
        await client.query('insert into acked values ($1)', [acked + 1])
        acked += 1
      }
    })().catch(() => undefined)
    await until(async () => expect(acked).toBeGreaterThan(50))
    process.kill(pid, 'SIGKILL')
    await writing
    const [found] = await until(async () => {
      expect(await serverPid()).not.toBe(pid)
      return query(database, `select count(*)::int as n, max(n) as last from acked`)
    })
    expect(Number(found?.['n'])).toBeGreaterThanOrEqual(acked)
    expect(found?.['n']).toBe(found?.['last'])
  })

  it("starts although both lock files name another program of PostgreSQL's user", async () => {
    copyDatabase()
    // PostgreSQL ignores a process of another user, and the one that started it.
    const stranger = spawn('sleep', ['600'], { ...chooseRunAs(), stdio: 'ignore' })
    children.push(stranger)
    await writeFile(join(cluster(), 'postmaster.pid'), `${stranger.pid}\n${cluster()}\n`)
    await writeFile(socketLock(), `${stranger.pid}\n${cluster()}\n`)
    const second = await start()
    expect(second.origin).toBe('started')
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBe(null)
  })

  it('starts no second server while a process of a killed one is left', async () => {
    copyDatabase()
    const { child } = await startElsewhere()
    const { target } = await attachEmbedded(options())
    const client = new pg.Client({ ...target.hosts[0] })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const backend = rows[0]?.pid ?? 0
    const pid = await serverPid()
    process.kill(backend, 'SIGSTOP')
    child.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await until(async () => expect(await isAlive(pid)).toBe(false))
    const rejections: string[] = []
    const warn = (_: string, fields?: object) => void rejections.push(JSON.stringify(fields))
    const starting = startEmbedded({ ...options(), log: { ...silentLog, warn } })
    await until(async () => expect(rejections.join()).toContain('shared memory block'))
    process.kill(backend, 'SIGKILL')
    const database = await starting
    open.push(database)
    expect(database.origin).toBe('started')
  })

  it.runIf(mayDropRights)(
    'adopts a server whose directory it has no right to look up',
    async () => {
      copyDatabase()
      const { child } = await startElsewhere()
      const pid = await serverPid()
      child.kill('SIGKILL')
      await once(child, 'exit')
      const withoutPtrace = ['setpriv', '--inh-caps=-sys_ptrace', '--bounding-set=-sys_ptrace']
      const { line } = await startElsewhere({}, withoutPtrace)
      expect(line).toBe('adopted')
      expect(await serverPid()).toBe(pid)
    },
  )

  it('reports the output of PostgreSQL when it cannot start', async () => {
    copyDatabase()
    await rm(join(cluster(), 'global'), { recursive: true })
    await expect(startEmbedded(options())).rejects.toThrow(
      /does not start. It said:\n.*pg_control/s,
    )
  })

  it.runIf(process.getuid?.() === 0 && isReachable(process.execPath))('needs no root', async () => {
    await chown(dataDir, 1, 1)
    const { line } = await startElsewhere({ uid: 1, gid: 1 })
    expect(line).toBe('created')
    expect((await stat(cluster())).uid).toBe(1)
  })

  it.runIf(process.getuid?.() === 0)(
    'keeps the database outside of a data directory that PostgreSQL cannot reach, and says so',
    async () => {
      const systemDir = join(dataDir, 'system')
      await mkdir(systemDir, { mode: 0o711 })
      const home = join(dataDir, 'home')
      await mkdir(home, { mode: 0o700 })
      const hidden = { dataDir: join(home, 'data'), log: silentLog, systemDir }
      const database = await startEmbedded(hidden)
      open.push(database)
      expect(database.notice).toContain(systemDir)
      await query(database, 'create table kept (n int)')
      await database.close()
      await chmod(home, 0o711)
      const again = await startEmbedded(hidden)
      open.push(again)
      expect(await query(again, 'select * from kept')).toEqual([])
    },
  )

  it('uses a short directory for the socket when the data directory has a long name', async () => {
    const long = join(dataDir, 'x'.repeat(100))
    const systemDir = join(dataDir, 'system')
    await mkdir(long, { mode: 0o711 })
    copyDatabase(long)
    const database = await startEmbedded({ dataDir: long, log: silentLog, systemDir })
    open.push(database)
    expect(Buffer.byteLength(String(database.target.hosts[0]?.host))).toBeLessThan(90)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('attachEmbedded', () => {
  it('finds the database of another process without claiming it', async () => {
    copyDatabase()
    const { line } = await startElsewhere()
    expect(line).toBe('started')
    const attached = await attachEmbedded(options())
    expect(attached.running).toBe(true)
    expect(await query(attached, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('reports that no database runs', async () => {
    copyDatabase()
    const attached = await attachEmbedded(options())
    expect(attached.running).toBe(false)
    const database = await start()
    expect(database.target).toEqual(attached.target)
  })
})
