import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpus } from 'node:os'
import { createInterface, type Interface } from 'node:readline'

/** A process of a bench: what it says comes line by line. */
export interface Child {
  readonly pid: number
  send(line: string): void
  /** The next line it says, read as JSON. Fails when it ends instead. */
  next<T>(): Promise<T>
  stop(): Promise<void>
}

function has(command: string): boolean {
  try {
    execFileSync('which', [command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const hasTaskset = has('taskset') && cpus().length > 1
export const hasWrk = has('wrk')

/** Puts a command on one core where that is possible, so that what loads and what is loaded do not share one. Undefined: on any. */
export function pinned(
  core: number | undefined,
  command: string,
  args: readonly string[],
): [string, string[]] {
  return hasTaskset && core !== undefined
    ? ['taskset', ['-c', String(core), command, ...args]]
    : [command, [...args]]
}

/** Starts a script of this folder in a Node of its own, on `core`, or on any when that is undefined. `input` is its whole standard input. */
export function startChild(
  script: string,
  options: {
    core: number | undefined
    args?: readonly string[]
    input?: string
    node?: readonly string[]
  },
): Child {
  const node = ['--conditions=@signalbox/source', '--no-warnings', ...(options.node ?? [])]
  const path = new URL(script, import.meta.url).pathname
  const [command, args] = pinned(options.core, process.execPath, [
    ...node,
    path,
    ...(options.args ?? []),
  ])
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  if (options.input !== undefined) child.stdin.end(options.input)
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
  return {
    pid: child.pid ?? 0,
    send: (line) => child.stdin.write(`${line}\n`),
    next: () => nextLine(child, lines),
    stop: () => stop(child),
  }
}

function nextLine<T>(child: ChildProcess, lines: Interface): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The process ended with ${code}`))
    child.once('exit', onExit)
    lines.once('line', (line) => {
      child.off('exit', onExit)
      resolve(JSON.parse(line) as T)
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
