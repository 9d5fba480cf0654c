import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { StoreLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { clearStaleLocks, readPostmasterFile } from './lock-files.ts'
import { startServer, type ServerSetup, type StartedServer } from './postmaster.ts'
import { isServerOf } from './server-process.ts'

/** Holds everything needed to run the server of one cluster. */
export interface Cluster extends ServerSetup {
  readonly log: StoreLog
}

/** Limits how long a start waits for the files and sockets of a dying server to go. */
const startWaitMs = 6_000

const reportEveryMs = 5_000

/** Returns whether the server became ready; `false` when it ended first. Waits for a long recovery. */
async function becomesReady(
  { paths, log }: Cluster,
  server: StartedServer | undefined,
): Promise<boolean> {
  const startedAt = performance.now()
  let reportAt = startedAt + reportEveryMs
  for (;;) {
    const file = await readPostmasterFile(paths.cluster)
    const pid = server === undefined ? file?.pid : server.child.pid
    if (file?.state === 'ready' && file.pid === pid) return true
    const ended =
      server?.hasEnded() ?? (pid === undefined || !(await isServerOf(pid, paths.cluster)))
    if (ended) return false
    if (performance.now() > reportAt) {
      log.info('The embedded database is recovering', {
        seconds: Math.round((reportAt - startedAt) / 1000),
      })
      reportAt += reportEveryMs
    }
    await delay(5)
  }
}

/**
 * Starts the server of the cluster, or adopts the one that a dead process left running. Retries for some seconds,
 * because the last parts of a killed server take a moment to go. Starts nothing once `signal` is aborted.
 *
 * @throws {OperatorError} with the output of the server.
 */
export async function ensureServer(
  cluster: Cluster,
  signal: AbortSignal,
): Promise<'started' | 'adopted'> {
  const { paths, log } = cluster
  const until = performance.now() + startWaitMs
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const file = await readPostmasterFile(paths.cluster)
    if (file !== undefined && (await isServerOf(file.pid, paths.cluster))) {
      if (await becomesReady(cluster, undefined)) return 'adopted'
      continue
    }
    signal.throwIfAborted()
    await clearStaleLocks(paths)
    const server = startServer(cluster)
    if (await becomesReady(cluster, server)) return 'started'
    const said = await server.said()
    if (performance.now() > until) {
      throw new OperatorError(`The database in ${paths.cluster} does not start. It said:\n${said}`)
    }
    log.warn('The embedded database did not start; trying again', { said })
    await delay(pauseMs)
  }
}
