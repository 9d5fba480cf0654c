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
  placeCluster,
  preparePlace,
  socketPort,
  type ClusterPlace,
} from './place-cluster.ts'
import { isServerOf, readPostmasterFile } from './postmaster-file.ts'
import { stopServer } from './postmaster.ts'
import { chooseRunAs } from './run-as.ts'

export interface EmbeddedOptions {
  /** The service's data directory. The database has its own directory inside. */
  readonly dataDir: string
  readonly log: StoreLog
  /** Where PostgreSQL is looked for when the npm package does not run here: the value of `PATH`. */
  readonly searchPath?: string
  /** Holds the database when root's data directory is out of PostgreSQL's reach. Default `/var/lib/signalbox`. */
  readonly systemDir?: string
  /** Gives up the wait for the server or for another process's claim. */
  readonly signal?: AbortSignal
}

/** A running embedded database, started again whenever it dies until `close` is called. */
export interface EmbeddedDatabase {
  readonly target: ConnectionTarget
  /** What the person who started the service should be told, in one sentence. */
  readonly notice: string | undefined
  /** `adopted`: the server of a process that died was still running. */
  readonly origin: 'created' | 'started' | 'adopted'
  /** Ends open transactions, stops the server and waits until it is gone. */
  close(): Promise<void>
  /** The same, and removes the files if this process has made the database, which nobody else can have stored in. */
  discard(): Promise<void>
}

const databaseName = 'signalbox'

/** How long a dead process's claim, or a server on its way out, may stand in the way of a start. */
const claimWaitMs = 3_000
const connectWaitMs = 10_000

function targetOf(place: ClusterPlace): ConnectionTarget {
  const host = { host: place.socketDir, port: socketPort, user: embeddedUser }
  return { hosts: [{ ...host, database: databaseName }] }
}

function locate({ dataDir, systemDir = '/var/lib/signalbox' }: EmbeddedOptions) {
  return placeCluster({ dataDir, systemDir, runAs: chooseRunAs() })
}

interface Acquired {
  readonly lock: OwnerLock
  readonly origin: 'started' | 'adopted'
}

/** Brings the server up and becomes the one process that serves from it. Gives up when `signal` says so. */
async function acquire(cluster: Cluster, dataDir: string, signal: AbortSignal): Promise<Acquired> {
  const connectUntil = performance.now() + connectWaitMs
  let claimUntil: number | undefined
  for (;;) {
    const origin = await ensureServer(cluster, signal)
    // A server that is going away, with the process that owned it, refuses connections for a moment.
    const claim = await claimCluster(cluster.place).catch((error: unknown) => {
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

/** Answers whether it had to be made: then, under the claim of `lock`, nobody has stored anything. */
async function ensureDatabase(lock: OwnerLock): Promise<boolean> {
  const found = await lock.query(`select from pg_database where datname = '${databaseName}'`)
  if (found.length > 0) return false
  await lock.query(`create database ${databaseName}`)
  return true
}

interface Supervisor {
  close(): Promise<void>
}

/** Starts the server again whenever it dies. The end of the owner's connection is how its death is seen. */
function supervise(cluster: Cluster, dataDir: string, first: OwnerLock): Supervisor {
  let lock = first
  const stop = new AbortController()
  const watch = async () => {
    for (;;) {
      await lock.lost
      if (stop.signal.aborted) return
      cluster.log.warn('The database went away and is started again')
      const since = performance.now()
      const again = await reacquire()
      if (again === undefined) return
      lock = again
      if (stop.signal.aborted) return
      cluster.log.info('The database is back', { afterMs: Math.round(performance.now() - since) })
    }
  }
  const reacquire = async (): Promise<OwnerLock | undefined> => {
    for (let pauseMs = 250; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        return (await acquire(cluster, dataDir, stop.signal)).lock
      } catch (error) {
        if (stop.signal.aborted) return undefined
        const reason = error instanceof Error ? error.message : String(error)
        cluster.log.error('The database cannot be started', { reason })
      }
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
    return undefined
  }
  const watching = watch()
  return {
    async close() {
      stop.abort()
      await stopServer(cluster.place.cluster)
      await lock.close()
      await watching
      // A restart that was under way when `close` came may have brought it up again.
      await stopServer(cluster.place.cluster)
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
  const { dataDir, log, searchPath = '', signal = new AbortController().signal } = options
  if (process.platform === 'win32') {
    throw new OperatorError('The embedded database does not run on Windows.', {
      hint: 'Set DATABASE_URL.',
    })
  }
  const runAs = chooseRunAs()
  const place = await locate(options)
  const missing = listMissing(place)
  await preparePlace(place, runAs)
  const major = await findClusterMajor(place.cluster)
  const binaries = await findBinaries({ copies: place.programs, searchPath, runAs, major })
  if (major === undefined) await createCluster({ cluster: place.cluster, binaries, runAs })
  const cluster: Cluster = { place, binaries, runAs, log }
  // One that was made a moment ago is claimed all the same: only its owner may take it away again.
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
    target: targetOf(place),
    notice: place.notice,
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
 * Finds the embedded database that another process runs on the data directory, without starting or claiming it.
 * `running` is `false` while that process is away; the target stays right for when it comes back.
 */
export async function attachEmbedded(
  options: EmbeddedOptions,
): Promise<{ readonly target: ConnectionTarget; readonly running: boolean }> {
  const place = await locate(options)
  const file = await readPostmasterFile(place.cluster)
  const running = file !== undefined && (await isServerOf(file.pid, place.cluster))
  return { target: targetOf(place), running }
}
