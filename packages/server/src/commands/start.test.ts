import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advisoryLocks } from '../store/advisory-locks.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { withOwner } from '../store/owner.ts'
import { parseDatabaseUrl } from '../store/connection-target.ts'
import { isReachable } from '../store/embedded/testing/is-reachable.ts'
import { killServers, runServer, spawnServer } from './testing/server-process.ts'

let database: TestDatabase
let base: string
const rootKey = { SIGNALBOX_ROOT_KEY: 'A'.repeat(43) }

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  await chmod(base, 0o711)
  database = await createTestDatabase()
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(base, { recursive: true, force: true })
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

const settings = () => ({
  ...rootKey,
  DATABASE_URL: database.databaseUrl,
  SIGNALBOX_DATA_DIR: join(base, 'data'),
})

describe('start', () => {
  it('waits for another node that migrates, says so, and gives up when it is asked to stop', async () => {
    await withOwner(parseDatabaseUrl(database.databaseUrl), async (client) => {
      await client.query('select pg_advisory_lock($1, $2)', [...advisoryLocks.migration])
      const service = spawnServer({ args: ['start'], env: settings() })
      await expect
        .poll(() => service.output(), { timeout: 20_000 })
        .toContain('Another node is migrating the database')
      service.child.kill('SIGTERM')
      // Here the lock is still held: nothing but the signal has ended the wait.
      const { exitCode, stdout, stderr } = await service.ended
      expect(stdout + stderr).toContain('Stopped before the start was complete')
      expect(exitCode).toBe(0)
    })
  })

  it('is cut within its ten seconds when it waits for what can be given up by nobody', async () => {
    let asked = false
    const silent = createServer((socket) => {
      socket.on('error', () => {})
      // Lets everybody in, and never answers a question.
      socket.once('data', () => {
        socket.write(Buffer.from('5200000008000000005a0000000549', 'hex'))
        socket.once('data', () => (asked = true))
      })
    })
    const port = await listen(silent)
    const env = { ...settings(), DATABASE_URL: `postgres://u@127.0.0.1:${port}/box` }
    const service = spawnServer({ args: ['start'], env })
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(true)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ exitCode: 1 })
    silent.close()
  })

  it('starts when the other node is done', async () => {
    const service = await withOwner(parseDatabaseUrl(database.databaseUrl), async (client) => {
      await client.query('select pg_advisory_lock($1, $2)', [...advisoryLocks.migration])
      const waiting = spawnServer({ args: ['start', '--json'], env: settings() })
      await expect
        .poll(() => waiting.output(), { timeout: 20_000 })
        .toContain('Another node is migrating the database')
      return waiting
    })
    await expect.poll(() => service.output(), { timeout: 20_000 }).toContain('"event":"started"')
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ exitCode: 0 })
  })

  it('serves on after the signal for as long as SIGNALBOX_DRAIN_SECONDS says, and tells the load balancer', async () => {
    const env = { ...settings(), SIGNALBOX_DRAIN_SECONDS: '2' }
    const service = spawnServer({ args: ['start', '--json'], env })
    await expect.poll(() => service.output(), { timeout: 20_000 }).toContain('"event":"started"')
    const [, apiUrl = ''] = /"apiUrl":"([^"]+)"/.exec(service.output()) ?? []
    const [, configUrl = ''] = /"configUrl":"([^"]+)"/.exec(service.output()) ?? []
    service.child.kill('SIGTERM')
    for (const url of [apiUrl, configUrl]) {
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
      const answer = await fetch(`${url}/healthz`)
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    }
    expect(await service.ended).toMatchObject({ exitCode: 0 })
    expect(service.output()).toMatch(/"Stopping".*"seconds":2|"seconds":2.*"Stopping"/)
  })

  it('ends with the program that started it and is gone', async () => {
    const service = spawnServer({ args: ['start', '--json'], env: settings(), channel: true })
    await expect.poll(() => service.output(), { timeout: 20_000 }).toContain('"event":"started"')
    service.child.disconnect()
    expect(await service.ended).toMatchObject({ exitCode: 0 })
  })

  it.each([
    ['embedded', () => ({})],
    ['given', () => ({ ...settings() })],
    ['given, by a process without delivery', () => ({ ...settings(), SIGNALBOX_ROLES: 'api' })],
    [
      'given, by a process that only delivers',
      () => ({ ...settings(), SIGNALBOX_ROLES: 'delivery' }),
    ],
  ])('refuses a data directory that can never be made, with the database %s', async (_, env) => {
    const dataDir = { SIGNALBOX_DATA_DIR: '/proc/nope/data' }
    const { exitCode, stderr } = await runServer({ args: ['start'], env: { ...env(), ...dataDir } })
    expect(stderr).toMatch(/✗ Cannot create the directory \/proc/)
    expect(stderr).toContain('SIGNALBOX_DATA_DIR')
    expect(exitCode).toBe(1)
  })

  it.each(['delivery', 'api,worker'])(
    'ends where its port is taken, whatever it has opened before: SIGNALBOX_ROLES=%s',
    async (role) => {
      const taken = createServer()
      const port = String(await listen(taken))
      const env = {
        ...settings(),
        SIGNALBOX_ROLES: role,
        SIGNALBOX_API_PORT: port,
        SIGNALBOX_DELIVERY_PORT: port,
      }
      const { exitCode, stderr } = await spawnServer({ args: ['start'], env }).ended
      expect(stderr).toContain(port)
      expect(exitCode).not.toBe(0)
      taken.close()
    },
  )

  it('names the host that refuses connections, and never the password', async () => {
    const url = 'postgres://signalbox:the-password@127.0.0.1:1/box'
    const env = { ...settings(), DATABASE_URL: url }
    const { exitCode, stdout, stderr } = await runServer({ args: ['start', '--json'], env })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'database_unreachable',
      message: expect.stringContaining('(127.0.0.1:1/box) cannot be reached: connect ECONNREFUSED'),
      hint: expect.stringContaining('Start PostgreSQL there'),
    })
    expect(stdout + stderr).not.toContain('the-password')
    expect(exitCode).toBe(1)
  })

  it('says which role or database is missing, and what to correct', async () => {
    const nobody = database.databaseUrl.replace(/\/\/[^@]*@/, '//nouser@')
    const asNobody = await runServer({
      args: ['start'],
      env: { ...settings(), DATABASE_URL: nobody },
    })
    expect(asNobody.stderr).toMatch(/DATABASE_URL \(.*role "nouser" does not exist/)
    expect(asNobody.stderr).toContain('fix: Correct the user')
    const nowhere = database.databaseUrl.replace(/\/test_[^?]*/, '/nodb')
    const atNowhere = await runServer({
      args: ['start'],
      env: { ...settings(), DATABASE_URL: nowhere },
    })
    expect(atNowhere.stderr).toContain('database "nodb" does not exist')
    expect(atNowhere.stderr).toContain('fix: Create the database')
  })

  it('says what to check when something else answers', async () => {
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const port = await listen(other)
    const env = { ...settings(), DATABASE_URL: `postgres://u@127.0.0.1:${port}/box` }
    const { stderr } = await runServer({ args: ['start'], env })
    expect(stderr).toContain(`(127.0.0.1:${port}/box) cannot be reached`)
    expect(stderr).toContain('PostgreSQL itself listens on that port')
    other.close()
  })

  it.runIf(process.getuid?.() === 0 && isReachable(process.execPath))(
    'says what to do for a user without an entry in /etc/passwd',
    async () => {
      const dataDir = join(base, 'unnamed')
      await chmod(base, 0o777)
      const { stderr } = await runServer({
        args: ['start'],
        env: { SIGNALBOX_DATA_DIR: dataDir },
        cwd: base,
        uid: 54_321,
      })
      await chmod(base, 0o711)
      expect(stderr).toContain('could not look up effective user ID 54321')
      expect(stderr).toMatch(/fix: .*\/etc\/passwd/)
    },
  )
})
