import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort, isPortOpen } from '../../../../../test/testing/network/ports.ts'
import { fillDisk, onOwnDisk } from './own-disk.ts'
import { findTool } from '../../../../../scripts/tools/find-tool.ts'

const found = await findTool('nats-server')

/** Says why tests of NATS are skipped; empty where they are not. */
export const natsMissing = 'reason' in found ? ` (skipped: ${found.reason})` : ''

/** A server of NATS of its own, with JetStream on the disk. */
export interface NatsServer {
  readonly port: number
  readonly url: string
  /** Ends the process as a crash does. */
  kill(): Promise<void>
  /** Starts it again, at the same address and with what it has stored. */
  start(): Promise<void>
  /** Halts it, or lets it go on: it keeps its connections and says nothing. */
  freeze(isFrozen: boolean): void
  /** Leaves no room on its own disk, or makes room again. */
  fillDisk(isFull: boolean): Promise<void>
  /** Removes what it has stored. It must have been killed. */
  loseData(): Promise<void>
  /** Replaces the further lines of the configuration, from the next start on. */
  configure(config: string): Promise<void>
  close(): Promise<void>
}

export interface NatsServerOptions {
  readonly port?: number
  /** Further lines of the configuration. */
  readonly config?: string
  /** Further limits of what it stores. `false`: it stores nothing, and has no JetStream. */
  readonly stores?: string | false
  /** Gives it a disk of its own of so many megabytes, which a kill empties. */
  readonly diskMegabytes?: number
}

/** Starts a server, and waits until it takes connections. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  if (!('path' in found)) throw new Error(natsMissing)
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-nats-'))
  const store = join(directory, 'store')
  const port = options.port ?? (await findFreePort())
  const file = join(directory, 'nats.conf')
  const { stores = '', diskMegabytes: megabytes } = options
  const lines = [
    `port: ${port}`,
    'host: 127.0.0.1',
    ...(stores === false ? [] : [`jetstream { store_dir: "${store}", ${stores} }`]),
  ]
  const configure = (config = '') => writeFile(file, [...lines, config].join('\n'))
  await configure(options.config)
  let child: ChildProcess
  let output = ''
  const start = async () => {
    await mkdir(store, { recursive: true })
    const command = [found.path, '-c', file]
    const [program = '', ...args] =
      megabytes === undefined ? command : onOwnDisk({ folder: store, megabytes }, command)
    child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const { stderr } = child
    stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    while (!(await isPortOpen(port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended: ${output}`)
      await delay(10)
    }
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    kill,
    start,
    freeze: (isFrozen) => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    fillDisk: (isFull) => fillDisk(child.pid ?? 0, store, isFull),
    loseData: () => rm(store, { recursive: true, force: true }),
    configure,
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
