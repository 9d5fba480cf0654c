import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCodeOf } from '../error-code.ts'

const run = promisify(execFile)
const isLinux = process.platform === 'linux'

async function isZombie(pid: number): Promise<boolean> {
  if (!isLinux) return false
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return true
  }
}

/** Returns whether a process runs. A zombie, which waits for its parent to collect it, does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCodeOf(error) !== 'EPERM') return false
  }
  return !(await isZombie(pid))
}

/** Returns the working directory of a process; `undefined` where this process cannot look it up. */
async function findWorkingDirectory(pid: number): Promise<string | undefined> {
  if (!isLinux) return undefined
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined)
}

/** Returns the command line of a process, its words divided by spaces. Everybody may read it. */
async function readCommandLine(pid: number): Promise<string> {
  if (isLinux) return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])
  return stdout
}

/**
 * Returns whether `pid` is a live server of `cluster`. Process ids repeat after a restart of the machine or container,
 * so the one in a lock file may belong to another program. The working directory decides: a server's is its cluster.
 * Where it cannot be looked up, the command line decides: on macOS, and for root in a container, which has no right to
 * look into the processes of PostgreSQL's user. Where nothing can be looked up, the process counts as a server.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  const directory = await realpath(cluster).catch(() => cluster)
  const workingDirectory = await findWorkingDirectory(pid)
  if (workingDirectory !== undefined) return workingDirectory === directory
  const commandLine = await readCommandLine(pid).catch(() => undefined)
  if (commandLine === undefined) return true
  return [cluster, directory].some((path) => commandLine.includes(`postgres -D ${path} `))
}
