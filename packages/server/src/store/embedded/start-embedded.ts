import { rm } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionTarget } from '../connection-target.ts'
import type { StoreLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { findBinaries } from './binaries.ts'
import { createCluster, embeddedUser, findClusterMajor } from './create-cluster.ts'
import { DataDirectoryInUse } from './data-directory-in-use.ts'
import { ensureServer, type Cluster } from './ensure-server.ts'
import { claimCluster, type OwnerLock } from './owner-lock.ts'
import {
  listMissing,
  locateCluster,
  preparePaths,
  socketPort,
  type ClusterPaths,
} from './cluster-paths.ts'
import { readPostmasterFile } from './lock-files.ts'
import { stopServer } from './postmaster.ts'
import { chooseRunAs } from './run-as.ts'
import { isServerOf } from './server-process.ts'

/** Describes the embedded database to start. */
export interface EmbeddedOptions {
  /** Names the service's data directory. The database has its own directory inside. */
  readonly dataDir: string
  readonly log: StoreLog
  /** Lists the directories to search for PostgreSQL when the npm package does not run here: the value of `PATH`. */
  readonly searchPath?: string
  /** Names the directory of the operator's own PostgreSQL programs, which are used instead. */
  readonly ownBin?: string | undefined
  /**
   * Names the directory of the database when root's data directory is out of PostgreSQL's reach. Default
   * `/var/lib/signalbox`.
   */
  readonly systemDir?: string
  /** Limits the connections of all processes. Default 100: a node uses about 25. */
  readonly connectionsMax?: number
  /** Aborts the wait for the server or for another process's claim. */
  readonly signal?: AbortSignal
}

/** Describes a running embedded database. It is restarted whenever it dies, until `close` is called. */
export interface EmbeddedDatabase {
  readonly target: ConnectionTarget
  /** Holds one sentence for the operator, if there is something to know. */
  readonly notice: string | undefined
  /** Tells how it was started. `adopted`: the server of a dead process was still running. */
  readonly origin: 'created' | 'started' | 'adopted'
  /** Ends open transactions, stops the server and waits until it is gone. */
  close(): Promise<void>
  /**
   * Closes it, and removes the files if this process created the database. Nobody else can have stored anything in it
   * then.
   */
  discard(): Promise<void>
}

const databaseName = 'signalbox'

/** Limits how long a start waits for a dead process's claim, or for a stopping server. */
const claimWaitMs = 3_000
const connectWaitMs = 10_000

function targetOf(paths: ClusterPaths): ConnectionTarget {
  const host = { host: paths.socketDir, port: socketPort, user: embeddedUser }
  return { hosts: [{ ...host, database: databaseName }] }
}

function locate({ dataDir, systemDir = '/var/lib/signalbox' }: EmbeddedOptions) {
  return locateCluster({ dataDir, systemDir, runAs: chooseRunAs() })
}

interface Acquired {
  readonly lock: OwnerLock
  readonly origin: 'started' | 'adopted'
}

/** Starts the server and claims it for this process. Gives up when `signal` is aborted. */
async function acquire(cluster: Cluster, dataDir: string, signal: AbortSignal): Promise<Acquired> {
  const connectUntil = performance.now() + connectWaitMs
  let claimUntil: number | undefined
  for (;;) {
    const origin = await ensureServer(cluster, signal)
    // A stopping server, and its owner with it, refuses connections for a moment.
    const claim = await claimCluster(cluster.paths).catch((error: unknown) => {
      if (performance.now() > connectUntil) throw error
      return undefined
    })
    if (claim?.outcome === 'held') return { lock: claim.lock, origin }
    signal.throwIfAborted()
    if (claim?.outcome === 'taken') {
      claimUntil ??= performance.now() + claimWaitMs
      if (performance.now() > claimUntil) throw new DataDirectoryInUse(dataDir, claim.byPid)
    }
    await delay(50)
  }
}

/**
 * Creates the database if it is missing, and returns whether it did. Then, under the claim of `lock`, nobody has stored
 * anything.
 */
async function ensureDatabase(lock: OwnerLock): Promise<boolean> {
  const databases = await lock.query(`select from pg_database where datname = '${databaseName}'`)
  if (databases.length > 0) return false
  await lock.query(`create database ${databaseName}`)
  return true
}

interface Supervisor {
  close(): Promise<void>
}

/** Restarts the server whenever it dies. The end of the owner's connection reveals its death. */
function supervise(cluster: Cluster, dataDir: string, first: OwnerLock): Supervisor {
  let lock = first
  const stop = new AbortController()
  const watch = async () => {
    for (;;) {
      await lock.lost
      if (stop.signal.aborted) return
      cluster.log.warn('The embedded database stopped; starting it again')
      const since = performance.now()
      const again = await reacquire()
      if (again === undefined) return
      lock = again
      if (stop.signal.aborted) return
      cluster.log.info('The embedded database is running again', {
        afterMs: Math.round(performance.now() - since),
      })
    }
  }
  const reacquire = async (): Promise<OwnerLock | undefined> => {
    for (let pauseMs = 250; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        return (await acquire(cluster, dataDir, stop.signal)).lock
      } catch (error) {
        if (stop.signal.aborted) return undefined
        const reason = error instanceof Error ? error.message : String(error)
        cluster.log.error('Could not start the embedded database', { reason })
      }
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
    return undefined
  }
  const watching = watch()
  return {
    async close() {
      stop.abort()
      await stopServer(cluster.paths.cluster)
      await lock.close()
      await watching
      // A restart that was in progress may have started it again.
      await stopServer(cluster.paths.cluster)
      await lock.close()
    },
  }
}

/**
 * Starts PostgreSQL as a child process on the data directory, or adopts the one a killed process left there.
 *
 * @throws {DataDirectoryInUse} when another process serves from the same data directory.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log, searchPath = '', ownBin, connectionsMax = 100 } = options
  const { signal = new AbortController().signal } = options
  if (process.platform === 'win32') {
    throw new OperatorError('The embedded database does not run on Windows.', {
      advice: 'Set DATABASE_URL.',
    })
  }
  const runAs = chooseRunAs()
  const paths = await locate(options)
  const missing = listMissing(paths)
  await preparePaths(paths, runAs)
  const major = await findClusterMajor(paths.cluster)
  const binaries = await findBinaries({ copies: paths.programs, searchPath, ownBin, runAs, major })
  if (major === undefined) await createCluster({ cluster: paths.cluster, binaries, runAs })
  const cluster: Cluster = { paths, binaries, runAs, log, connectionsMax }
  // A cluster that was just created is claimed in any case: only its owner may remove it again.
  const patience = major === undefined ? new AbortController().signal : signal
  const { lock, origin } = await acquire(cluster, dataDir, patience)
  const supervisor = supervise(cluster, dataDir, lock)
  let isEmpty = false
  try {
    isEmpty = await ensureDatabase(lock)
  } catch (error) {
    await supervisor.close()
    throw error
  }
  return {
    target: targetOf(paths),
    notice: paths.notice,
    origin: major === undefined ? 'created' : origin,
    close: () => supervisor.close(),
    async discard() {
      await supervisor.close()
      if (major !== undefined || !isEmpty) return
      for (const path of missing) await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * Locates the embedded database that another process runs on the data directory, without starting or claiming it.
 * `running` is `false` while that process is down; the target stays valid for when it returns.
 */
export async function attachEmbedded(
  options: EmbeddedOptions,
): Promise<{ readonly target: ConnectionTarget; readonly running: boolean }> {
  const paths = await locate(options)
  const file = await readPostmasterFile(paths.cluster)
  const running = file !== undefined && (await isServerOf(file.pid, paths.cluster))
  return { target: targetOf(paths), running }
}
