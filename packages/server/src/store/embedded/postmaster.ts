import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './binaries.ts'
import { socketPort, type ClusterPaths } from './cluster-paths.ts'
import { readPostmasterFile } from './lock-files.ts'
import type { RunAs } from './run-as.ts'
import { isServerOf } from './server-process.ts'

const logBytesMax = 1_048_576

const serverSettings = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // Statements and their errors contain customers' values, so only the server's own events are logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
} as const

/** Opens the server's log for appending. A large log is first renamed to `.1`. */
function openLog(logFile: string): number {
  if (existsSync(logFile) && statSync(logFile).size > logBytesMax) {
    renameSync(logFile, `${logFile}.1`)
  }
  return openSync(logFile, 'a', 0o600)
}

/** Describes a server that this process started. `said()` returns its log output since. */
export interface StartedServer {
  readonly child: ChildProcess
  hasEnded(): boolean
  said(): Promise<string>
}

/** Holds what the server of one cluster is started with. */
export interface ServerSetup {
  readonly paths: ClusterPaths
  readonly binaries: PostgresBinaries
  readonly runAs: RunAs
  readonly connectionsMax: number
}

/**
 * Starts the server of a cluster. It gets a process group of its own, so that Ctrl-C in a terminal reaches only
 * Signalbox, which then stops it in order. It logs to a file, because a pipe would end with this process.
 */
export function startServer({
  paths,
  binaries,
  runAs,
  connectionsMax,
}: ServerSetup): StartedServer {
  const log = openLog(paths.logFile)
  const logStart = fstatSync(log).size
  const all = { ...serverSettings, max_connections: String(connectionsMax) }
  const settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', paths.cluster, '-k', paths.socketDir, ...settings]
  const child = spawn(binaries.postgres, args, {
    ...runAs,
    cwd: paths.base,
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  // It survives when this process is killed, and the next one adopts it.
  child.unref()
  let failed = false
  child.once('error', () => {
    failed = true
  })
  return {
    child,
    hasEnded: () => failed || child.exitCode !== null || child.signalCode !== null,
    said: () => readFrom(paths.logFile, logStart),
  }
}

async function readFrom(path: string, start: number): Promise<string> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(8192)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    return buffer.toString('utf8', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}

/** Lists the signals in the order they are tried, each with the time the server has to obey. */
const stopSteps = [
  // Fast shutdown: aborts open transactions and writes everything.
  { signal: 'SIGINT', limitMs: 6_000 },
  // Immediate shutdown: the next start recovers from the log.
  { signal: 'SIGQUIT', limitMs: 1_500 },
  { signal: 'SIGKILL', limitMs: 1_000 },
] as const

/** Stops the live server of `cluster`, whichever process started it. Resolves when it is gone. */
export async function stopServer(cluster: string): Promise<void> {
  const file = await readPostmasterFile(cluster)
  if (file === undefined || !(await isServerOf(file.pid, cluster))) return
  for (const { signal, limitMs } of stopSteps) {
    try {
      process.kill(file.pid, signal)
    } catch {
      return
    }
    const until = performance.now() + limitMs
    while (performance.now() < until) {
      if (!(await isServerOf(file.pid, cluster))) return
      await delay(10)
    }
  }
}
