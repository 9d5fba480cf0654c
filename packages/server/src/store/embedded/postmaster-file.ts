import { readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../error-code.ts'

/** Holds the contents of `postmaster.pid`, the lock file of a cluster's server. */
export interface PostmasterFile {
  readonly pid: number
  /** Holds `starting`, `ready` or `stopping`; empty while the file is being written. */
  readonly state: string
}

/**
 * Reads the lock file of `cluster`, if there is one.
 *
 * @see https://www.postgresql.org/docs/current/storage-file-layout.html and `pidfile.h` for the order of lines.
 */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    const pid = Number(lines[0])
    return Number.isInteger(pid) && pid > 0 ? { pid, state: (lines[7] ?? '').trim() } : undefined
  } catch {
    return undefined
  }
}

async function isZombie(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return true
  }
}

/** Returns whether the operating system knows a process of this number, alive or a zombie. */
export function isVisible(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}

/** Returns whether a process runs. A zombie, which waits for its parent to collect it, does not. */
export async function isAlive(pid: number): Promise<boolean> {
  return isVisible(pid) && !(await isZombie(pid))
}

/**
 * Returns whether `pid` is a live server of `cluster`. After a restart of the machine or container the process id in
 * the lock file may belong to another program. On Linux the working directory decides: a server's is its cluster.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  if (process.platform !== 'linux') return true
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster))
  } catch {
    return false
  }
}
