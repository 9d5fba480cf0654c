import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serviceProgram } from '../packages/server/src/commands/testing/service-program.ts'

const root = join(import.meta.dirname, '..')

/** `source` and `bundled` need no build; `built` is what users run, and what is measured. */
const entries = {
  source: ['--conditions=@signalbox/source', join(root, 'packages/server/src/main.ts')],
  bundled: ['--conditions=@signalbox/source', serviceProgram],
  built: [join(root, 'packages/server/bin/signalbox-server.js')],
} as const

export interface ServiceProcess {
  readonly apiUrl: string
  readonly configUrl: string
  /** Present while nobody has set the service up. */
  readonly setupUrl: string | undefined
  readonly pid: number
  readonly startedInMs: number
  readonly process: ChildProcess
  /** Everything printed so far. */
  output(): string
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>
  /** Ends it as a crash does. */
  kill(): Promise<void>
}

export interface StartService {
  /** Settings as environment variables; ports default to free ones. */
  readonly env: Readonly<Record<string, string>>
  readonly entry?: keyof typeof entries
  readonly timeoutMs?: number
  /** Holds the command that starts it on another host. */
  readonly host?: readonly string[]
  /** Holds further options of Node, such as a module that replaces others: it finds those of `source` alone. */
  readonly nodeOptions?: readonly string[]
  /** Limits how many files, connections included, the process may open. Default: as many as this one. */
  readonly descriptors?: number | undefined
}

/** Returns the words of the command that starts it. */
function toCommand({
  host = [],
  nodeOptions = [],
  entry = nodeOptions.length === 0 ? 'bundled' : 'source',
  descriptors,
}: StartService): readonly string[] {
  const limited =
    descriptors === undefined ? [] : ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`]
  const service = [process.execPath, ...nodeOptions, ...entries[entry], 'start', '--json']
  return [...host, ...limited, ...service]
}

/** Starts the service as a process of its own and answers once it prints that it is ready. */
export async function startService(options: StartService): Promise<ServiceProcess> {
  const { env, timeoutMs = 120_000 } = options
  const begun = performance.now()
  const [program = '', ...args] = toCommand(options)
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: process.env['HOME'],
      SIGNALBOX_API_PORT: '0',
      SIGNALBOX_DELIVERY_PORT: '0',
      // No load balancer has to notice.
      SIGNALBOX_DRAIN_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const lines = createInterface({ input: child.stdout })
  const started = new Promise<Record<string, string | undefined>>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The service was not ready after ${timeoutMs} ms:\n${printed}`))
    }, timeoutMs)
    lines.on('line', (line) => {
      printed += `${line}\n`
      if (!line.startsWith('{"event":"started"')) return
      clearTimeout(timer)
      resolve(JSON.parse(line))
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The service ended with ${code} before it was ready:\n${printed}`))
    })
  })
  const { apiUrl = '', configUrl = '', setupUrl } = await started
  const ended = once(child, 'exit')
  return {
    apiUrl,
    configUrl,
    setupUrl,
    pid: child.pid ?? 0,
    startedInMs: performance.now() - begun,
    process: child,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
