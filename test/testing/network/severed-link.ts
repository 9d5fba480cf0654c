import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from './ports.ts'

const isRoot = process.getuid?.() === 0

/** Makes a network namespace; without root's rights it needs a user namespace around it. */
const unshare = [...(isRoot ? [] : ['--map-root-user']), '--net']

/** Enters the namespaces of a process that `unshare` started. */
const nsenter = (pid: number | undefined): string[] => [
  'nsenter',
  `--target=${pid}`,
  '--net',
  ...(isRoot ? [] : ['--user', '--preserve-credentials']),
]

const nearAddress = '10.99.0.1'
const farAddress = '10.99.0.2'
const farPort = 5432

/** Passes what comes at one address on to another, both as `node:net` takes them, until it is killed. */
const relay = `
import { connect, createServer } from 'node:net'
const [from, to] = process.argv.slice(-2).map((text) => JSON.parse(text))
const server = createServer((socket) => {
  const onward = connect(to)
  for (const [one, other] of [[socket, onward], [onward, socket]]) {
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
})
server.listen(from, () => console.log('listening'))`

async function startRelay(
  [command = '', ...args]: readonly string[],
  from: object,
  to: object,
): Promise<ChildProcess> {
  const program = [process.execPath, '--input-type=module', '-e', relay]
  const child = spawn(
    command,
    [...args, ...program, '--', ...[from, to].map((each) => JSON.stringify(each))],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const ended = once(child, 'exit').then(() => {
    throw new Error(`A relay ended: ${complaints}`)
  })
  await Promise.race([once(child.stdout, 'data'), ended])
  return child
}

/** Returns why no network can be made here; `undefined` where one can. */
export function findNetworkObstacle(): string | undefined {
  const args = [...unshare, 'ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far']
  const { error, status, stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
  if (error === undefined && status === 0) return undefined
  return `unshare: ${error?.message ?? stderr.trim()}`
}

/** Describes two hosts of their own on one network: the near one for the service, the far one with the database. */
export interface SeveredLink {
  /** Names the database by its address on the far host. */
  readonly databaseUrl: string
  /** Holds the command that starts a program on the near host. */
  readonly nearHost: readonly string[]
  /** Has the link drop every packet, or pass them again. Neither side is told. */
  sever(isSevered: boolean): void
  /** Makes an address of the near host reachable from here, and returns its port on 127.0.0.1. */
  reach(port: number): Promise<number>
  close(): Promise<void>
}

/** Opens the two hosts. `databaseUrl` names a database by the directory of its socket, as the tests' own do. */
export async function openSeveredLink(databaseUrl: string): Promise<SeveredLink> {
  const url = new URL(databaseUrl)
  const socket = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${farPort}`)
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-link-'))
  const closing: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })]
  const start = async (...relayed: Parameters<typeof startRelay>) => {
    const child = await startRelay(...relayed)
    closing.push(() => child.kill('SIGKILL') && once(child, 'exit'))
    return child
  }
  const near = await start(['unshare', ...unshare], { path: join(directory, 'near') }, {})
  const inNear = nsenter(near.pid)
  const far = await start([...inNear, 'unshare', '--net'], { port: farPort }, { path: socket })
  const ip = (host: ChildProcess, args: string) => {
    const [command = '', ...rest] = [...nsenter(host.pid), 'ip', ...args.split(' ')]
    const { status, stderr } = spawnSync(command, rest, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`ip ${args}: ${stderr}`)
  }
  ip(near, 'link set lo up')
  ip(near, `link add near type veth peer name far netns ${far.pid}`)
  ip(near, `address add ${nearAddress}/24 dev near`)
  ip(far, `address add ${farAddress}/24 dev far`)
  ip(near, 'link set near up')
  ip(far, 'link set far up')
  return {
    databaseUrl: `postgres://${url.username}@${farAddress}:${farPort}${url.pathname}`,
    nearHost: inNear,
    // The near end stays up: it sends, and nothing arrives.
    sever: (isSevered) => ip(far, `link set far ${isSevered ? 'down' : 'up'}`),
    async reach(port) {
      const path = join(directory, String(port))
      await start(inNear, { path }, { host: '127.0.0.1', port })
      const server = createServer((caller) => {
        const onward = connect(path)
        caller.pipe(onward).pipe(caller)
        caller.on('error', () => onward.destroy())
        onward.on('error', () => caller.destroy())
      })
      closing.push(() => server.close())
      return listen(server)
    },
    async close() {
      for (const step of closing.toReversed()) await step()
    },
  }
}
