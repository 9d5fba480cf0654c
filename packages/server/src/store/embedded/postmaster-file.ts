import { readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../error-code.ts'

/** What `postmaster.pid` says about the server of a cluster. */
export interface PostmasterFile {
  readonly pid: number
  /** `starting`, `ready`, `stopping`; empty while the file is being written. */
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

/** Whether the operating system knows a process of this number, alive or dead and not yet collected. */
export function isVisible(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}

/** Whether a process runs. One that died and waits for its parent to notice does not. */
export async function isAlive(pid: number): Promise<boolean> {
  return isVisible(pid) && !(await isZombie(pid))
}

/**
 * Whether `pid` is a live server of `cluster`. After a restart of the machine or container the number in
 * the lock file may belong to somebody else; on Linux the working directory tells, because a server keeps
 * its cluster as that.
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
