import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readPostmasterFile } from '../../packages/server/src/store/embedded/lock-files.ts'
import { isReachable } from '../../packages/server/src/store/embedded/testing/is-reachable.ts'

/** Describes one life of the container. */
interface ContainerLife {
  /** Holds how the database was started, how often it was tried again, and the rows that a former life committed. */
  readonly line: string
  /** Ends every process of the namespace at once, as the end of a container does. */
  kill(): Promise<void>
}

const isRoot = process.getuid?.() === 0

/** Names an unprivileged user where the proof runs as root: PostgreSQL has to have the same one as the service. */
const containerUser = { uid: 1, gid: 1 } as const

const unshare = isRoot
  ? ['--setuid', String(containerUser.uid), '--setgid', String(containerUser.gid)]
  : ['--map-current-user']

/** Returns why no process namespace can be made here; `undefined` where one can. */
function findObstacle(): string | undefined {
  const args = [...unshare, '--pid', '--fork', '--mount-proc', 'true']
  const { error, status, stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
  if (error === undefined && status === 0) return undefined
  return `unshare: ${error?.message ?? stderr.trim()}`
}

const store = join(import.meta.dirname, '../../packages/server/src/store/embedded')

/** Adds a row in each life, and prints the rows that it found. */
const program = `
import pg from 'pg'
import { startEmbedded } from ${JSON.stringify(join(store, 'start-embedded.ts'))}
let tries = 0
const log = { info() {}, warn() { tries += 1 }, error() {} }
try {
  const { origin, target } = await startEmbedded({ dataDir: process.env.DATA_DIR, log })
  const client = new pg.Client({ ...target.hosts[0] })
  await client.connect()
  await client.query('create table if not exists lives (at timestamptz)')
  const { rowCount } = await client.query('select from lives')
  await client.query('insert into lives values (now())')
  console.log(origin, 'after', tries, 'failed tries with', rowCount, 'rows')
  setInterval(() => {}, 1000)
} catch (error) { console.log(error.message); process.exit(1) }`

/** Starts short-lived programs until one has the process id, and leaves that one running. */
const holdNumber = 'while :; do sleep 600 & [ "$!" -ge "$HELD" ] && break; kill -9 "$!"; done'

/**
 * Starts the embedded database as process 1 of a process namespace, as a container does: process ids begin at 1 again.
 * Another program has got the process id `held`.
 */
async function startInContainer(dataDir: string, held: number | undefined): Promise<ContainerLife> {
  const script = `${held === undefined ? '' : `${holdNumber}; `}exec "$0" "$@"`
  const node = [process.execPath, '--conditions=@signalbox/source', '--input-type=module']
  const command = ['sh', '-c', script, ...node, '-e', program]
  const child = spawn('unshare', [...unshare, '--pid', '--fork', '--mount-proc', ...command], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, HELD: String(held) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const ended = once(child, 'close').then(() => [`The database ended: ${complaints}`])
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  return { line: String(line), kill: () => endContainer(child) }
}

/** Kills process 1 of the namespace, with which the kernel ends all others. */
async function endContainer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean)) process.kill(Number(pid), 'SIGKILL')
  await ended
}

/** A number that is not free is met at the first of them. */
const restarts = 4 * inject('scale')

const outOfReach = [process.execPath, import.meta.filename].filter((path) => !isReachable(path))
const obstacle =
  isRoot && outOfReach.length > 0
    ? `Other users cannot reach ${outOfReach.join(' and ')}`
    : findObstacle()
if (obstacle !== undefined)
  console.warn(`SKIPPED: the restarts of a container cannot be proven here. ${obstacle}`)

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signalbox-proof-'))
  await chmod(dataDir, 0o711)
  if (process.getuid?.() === 0) await chown(dataDir, containerUser.uid, containerUser.gid)
})

afterAll(() => rm(dataDir, { recursive: true, force: true }))

it.skipIf(obstacle !== undefined)(
  'starts after each kill of its container, although another program has the process id of its former database',
  async () => {
    const lines: string[] = []
    for (let life = 0; life <= restarts; life++) {
      const held = (await readPostmasterFile(join(dataDir, 'postgres')))?.pid
      const started = await startInContainer(dataDir, held)
      await started.kill()
      lines.push(started.line)
    }
    const expected = lines.map((_, life) => {
      const origin = life === 0 ? 'created' : 'started'
      return `${origin} after 0 failed tries with ${life} rows`
    })
    expect(lines).toEqual(expected)
  },
)
