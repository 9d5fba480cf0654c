import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../log.ts'
import { createRolePool, requestLimits, type RolePool } from '../role-pool.ts'
import { openTestStore, type TestStore } from '../testing/test-database.ts'
import { runStatement } from '../transaction.ts'

/** The limit of a silent database, and none. A statement of its own ends after five seconds. */
const limits = { silentMs: 100, answerMs: 200 }
const noLimits = { silentMs: 3_600_000, answerMs: 1 }

let test: TestStore
let directory: string
let link: Server
let isFrozen = false
const sockets = new Set<Socket>()
const pools: RolePool[] = []

beforeAll(async () => {
  test = await openTestStore()
  directory = await mkdtemp(join(tmpdir(), 'signalbox-link-'))
  const socket = await findSocket()
  link = createServer((near) => {
    const far = connect(socket)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('close', () => void to.destroy())
      from.on('data', (bytes) => isFrozen || to.write(bytes))
    }
  })
  link.listen(join(directory, '.s.PGSQL.5432'))
  await once(link, 'listening')
})
afterEach(async () => {
  isFrozen = false
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  for (const pool of pools.splice(0)) await pool.close()
})
afterAll(async () => {
  link.close()
  await test.close()
  await rm(directory, { recursive: true, force: true })
})

/** Returns the socket that PostgreSQL listens on. Example: `/tmp/signalbox/.s.PGSQL.5432`. */
async function findSocket(): Promise<string> {
  const [found] = await test.asOwner<{ path: string }>(
    `select current_setting('unix_socket_directories') || '/.s.PGSQL.' || current_setting('port') as path`,
  )
  return found?.path ?? ''
}

async function openPool(silence: typeof limits): Promise<RolePool> {
  const [found] = await test.asOwner<{ database: string; user: string }>(
    'select current_database() as database, session_user as "user"',
  )
  const target = { hosts: [{ ...found, host: directory, port: 5432 }] }
  const role = 'signalbox_app'
  const pool = createRolePool({
    target,
    role,
    max: 2,
    limits: requestLimits,
    log: silentLog,
    silence,
  })
  pools.push(pool)
  return pool
}

const ask = (pool: RolePool, text: string) => runStatement(pool, { name: '', text, values: [] })

describe('a statement on a database that is frozen', () => {
  it('is refused once the database does not answer a new connection either', async () => {
    const pool = await openPool(limits)
    await ask(pool, 'select 1')
    isFrozen = true
    await expect(ask(pool, 'select 1')).rejects.toMatchObject({ code: 'db_unavailable' })
    isFrozen = false
    await expect(ask(pool, 'select 1 as one')).resolves.toEqual([{ one: 1 }])
  }, 4_000)

  it('control: waits for its own limit where nobody watches', async () => {
    const pool = await openPool(noLimits)
    await ask(pool, 'select 1')
    isFrozen = true
    const asked = ask(pool, 'select 1').then(
      () => 'answered',
      () => 'refused',
    )
    const later = new Promise((resolve) => void setTimeout(resolve, 1_000, 'waiting'))
    expect(await Promise.race([asked, later])).toBe('waiting')
    isFrozen = false
    for (const socket of sockets) socket.destroy()
    expect(await asked).toBe('refused')
  })
})

describe('a long statement', () => {
  it('is left alone while the database answers others', async () => {
    const pool = await openPool(limits)
    await expect(ask(pool, `select pg_sleep(1)::text as slept`)).resolves.toEqual([{ slept: '' }])
  })
})
