import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../run-command.ts'
import { serviceProgram } from './service-program.ts'

/** Says how a process ended, and everything it said. */
export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `signalbox-server` as a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Everything printed so far, on both outputs. */
  output(): string
  readonly ended: Promise<Ended>
}

export interface SpawnServer {
  readonly args: readonly string[]
  /** Settings; nothing of this process's own environment but what finds programs is passed on. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly uid?: number
  /** Starts it with an IPC channel to this process, as `fork` does. Default false. */
  readonly channel?: boolean
  /** Runs it on a pseudo-terminal, and makes `child.stdin` its keyboard. Default false. */
  readonly terminal?: boolean
}

/** Tells whether this machine can make a pseudo-terminal with script(1). */
export const hasTerminal = spawnSync('script', ['--version']).status === 0

const running = new Set<ServerProcess>()

/** Ends what a failed test has left. */
export async function killServers(): Promise<void> {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended.catch(() => undefined)
  }
}

/** Spawns it from the sources, on free ports. */
export function spawnServer(options: SpawnServer): ServerProcess {
  const { args, env = {}, channel = false, terminal = false, ...place } = options
  const words = [process.execPath, '--conditions=@signalbox/source', serviceProgram, ...args]
  const [program = '', ...rest] = terminal ? onTerminal(words) : words
  const child = spawn(program, rest, {
    ...place,
    ...(place.uid === undefined ? {} : { gid: place.uid }),
    env: { ...baseEnvironment(terminal), ...env },
    stdio: [terminal ? 'pipe' : 'ignore', 'pipe', 'pipe', channel ? 'ipc' : 'ignore'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // A child whose channel was closed on this side never says that it closed.
  const end = channel ? 'exit' : 'close'
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(spawned)
      reject(error)
    })
    child.once(end, (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
  const spawned: ServerProcess = { child, output: () => stdout + stderr, ended }
  running.add(spawned)
  child.once(end, () => running.delete(spawned))
  return spawned
}

function baseEnvironment(terminal: boolean): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_DELIVERY_PORT: '0',
    SIGNALBOX_DRAIN_SECONDS: '0',
    ...(terminal ? { TERM: 'xterm' } : { SIGNALBOX_LOG_FORMAT: 'json' }),
    // No test should need this directory. If one makes it by mistake, the next run of the tests removes it.
    SIGNALBOX_DATA_DIR: join(tmpdir(), `signalbox-test-${process.pid}-unnamed`),
  }
}

function onTerminal(words: readonly string[]): string[] {
  const command = `exec ${words.map((word) => `'${word}'`).join(' ')}`
  return ['script', '--quiet', '--return', '--flush', '--command', command, '/dev/null']
}

/** Runs one command to its end, in a process of its own. */
export function runServer(options: SpawnServer): Promise<Ended> {
  return spawnServer(options).ended
}

function listProcessListeners() {
  return (['SIGTERM', 'SIGINT', 'disconnect'] as const).flatMap((name) =>
    process.listeners(name as 'SIGTERM').map((listener) => ({ name, listener })),
  )
}

/** Runs one command to its end in this process, which has loaded the service already. Leaves the process as it was. */
export async function runServerHere({
  args,
  env = {},
}: Pick<SpawnServer, 'args' | 'env'>): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const write = (name: keyof typeof written) => (line: string) => {
    written[name] += `${line}\n`
  }
  const terminal = { out: write('stdout'), err: write('stderr'), isTerminal: false }
  const variables = { ...baseEnvironment(false), ...env }
  const before = listProcessListeners()
  const exitCode = await runCommand({ args, variables, terminal })
  for (const { name, listener } of listProcessListeners()) {
    if (!before.some((known) => known.listener === listener)) process.off(name, listener)
  }
  // `start` lets go of the channel to its parent, which here is that of the tests: without it, this process ends between two files.
  process.channel?.ref()
  return { exitCode, ...written }
}
