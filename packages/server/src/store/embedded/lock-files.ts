import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { socketName, type ClusterPaths } from './cluster-paths.ts'
import { isServerOf } from './server-process.ts'

/** Holds the contents of `postmaster.pid`, the lock file of a cluster's server. */
export interface PostmasterFile {
  readonly pid: number
  /** Holds `starting`, `ready` or `stopping`; empty while the file is being written. */
  readonly state: string
}

const postmasterFile = 'postmaster.pid'

/** Reads a lock file of PostgreSQL. That of a socket has the same first lines, and no state. */
async function readLockFile(path: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n')
    const pid = Number(lines[0])
    return Number.isInteger(pid) && pid > 0 ? { pid, state: (lines[7] ?? '').trim() } : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the lock file of `cluster`, if there is one.
 *
 * @see https://www.postgresql.org/docs/current/storage-file-layout.html and `pidfile.h` for the order of lines.
 */
export function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  return readLockFile(join(cluster, postmasterFile))
}

/**
 * Removes the lock files of a dead server, that of the cluster and that of its socket. PostgreSQL removes them itself,
 * but not while any other process has their process id, as after each restart of a container. Another start may have
 * written a new file since this one was read, so the file is moved away, read again, and put back if it is new.
 *
 * This opens no way to two servers on one cluster: PostgreSQL also refuses to start while a process is attached to the
 * cluster's shared memory.
 */
export async function clearStaleLocks({ cluster, socketDir }: ClusterPaths): Promise<void> {
  for (const path of [join(cluster, postmasterFile), join(socketDir, `${socketName}.lock`)]) {
    const stale = await readLockFile(path)
    if (stale === undefined || (await isServerOf(stale.pid, cluster))) continue
    const aside = `${path}.stale-${process.pid}`
    try {
      await rename(path, aside)
    } catch {
      // Another start has moved it.
      continue
    }
    if ((await readLockFile(aside))?.pid !== stale.pid)
      await link(aside, path).catch(() => undefined)
    await rm(aside, { force: true })
  }
}
