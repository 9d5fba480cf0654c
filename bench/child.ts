import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

/** Says whether processes can be put on cores of their own, so that what loads and what is loaded don't share one. */
export const hasTaskset = has('taskset') && cpus().length > 1

/** Moves a running process with all its threads to one core, where that is possible. */
export function pin(pid: number, core: number): void {
  if (hasTaskset) execFileSync('taskset', ['-apc', String(core), String(pid)])
}

/** Lists a process and its descendants, from Linux; elsewhere the process alone. */
export function listFamily(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
    return [pid, ...children.flatMap((child) => listFamily(Number(child)))]
  } catch {
    return [pid]
  }
}

/** Returns the processor time of a process and its descendants in seconds, from Linux; elsewhere `NaN`. */
export function cpuSecondsOf(pid: number): number {
  const ticks = listFamily(pid).flatMap((one) => {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      // User and system time, its own and that of children that have ended.
      return fields.slice(11, 15).map(Number)
    } catch {
      return Number.NaN
    }
  })
  return ticks.reduce((sum, each) => sum + each, 0) / 100
}

/** Returns the memory of a process in MiB, as the kernel accounts for it. `VmHWM` is its most. */
export function residentMiB(pid: number, kind: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${kind}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
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
  const args = [...node, path, ...(options.args ?? [])]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  if (options.core !== undefined) pin(child.pid ?? 0, options.core)
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
