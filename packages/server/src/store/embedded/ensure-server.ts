import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { StoreLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { ClusterPlace } from './place-cluster.ts'
import { isServerOf, isVisible, readPostmasterFile } from './postmaster-file.ts'
import { startServer, type StartedServer } from './postmaster.ts'
import type { RunAs } from './run-as.ts'

/** Everything needed to run the server of one cluster. */
export interface Cluster {
  readonly place: ClusterPlace
  readonly binaries: PostgresBinaries
  readonly runAs: RunAs
  readonly log: StoreLog
}

/** How long a dying server's files and sockets may stand in the way of a start. */
const startWaitMs = 6_000

const reportEveryMs = 5_000

/** Waits until the server is ready, or answers that it ended first. A long recovery is waited for. */
async function becomesReady(
  { place, log }: Cluster,
  server: StartedServer | undefined,
): Promise<boolean> {
  const startedAt = performance.now()
  let reportAt = startedAt + reportEveryMs
  for (;;) {
    const file = await readPostmasterFile(place.cluster)
    const pid = server === undefined ? file?.pid : server.child.pid
    if (file?.state === 'ready' && file.pid === pid) return true
    const ended =
      server?.hasEnded() ?? (pid === undefined || !(await isServerOf(pid, place.cluster)))
    if (ended) return false
    if (performance.now() > reportAt) {
      log.info('The database is recovering', { seconds: Math.round((reportAt - startedAt) / 1000) })
      reportAt += reportEveryMs
    }
    await delay(5)
  }
}

/**
 * Removes the lock file of a dead server when its number is in use by another program, or by a dead process
 * that nobody has collected: PostgreSQL would take it for a live server. It clears all others itself.
 */
async function removeStaleFile(cluster: string, pid: number): Promise<void> {
  if (!isVisible(pid) || (await isServerOf(pid, cluster))) return
  if ((await readPostmasterFile(cluster))?.pid !== pid) return
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/**
 * Brings a server of the cluster up, or finds the one a dead process left. Tries again for some seconds,
 * because the last parts of a killed server take a moment to go. Starts nothing once `signal` is aborted.
 *
 * @throws {Error} with what the server said.
 */
export async function ensureServer(
  cluster: Cluster,
  signal: AbortSignal,
): Promise<'started' | 'adopted'> {
  const { place, binaries, runAs, log } = cluster
  const until = performance.now() + startWaitMs
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const file = await readPostmasterFile(place.cluster)
    if (file !== undefined && (await isServerOf(file.pid, place.cluster))) {
      if (await becomesReady(cluster, undefined)) return 'adopted'
      continue
    }
    signal.throwIfAborted()
    if (file !== undefined) await removeStaleFile(place.cluster, file.pid)
    const server = startServer(place, binaries, runAs)
    if (await becomesReady(cluster, server)) return 'started'
    const said = await server.said()
    if (performance.now() > until) {
      throw new OperatorError(`The database in ${place.cluster} does not start. It said:\n${said}`)
    }
    log.warn('The database did not start and is tried again', { said })
    await delay(pauseMs)
  }
}
