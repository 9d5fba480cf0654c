import { accessSync, constants, mkdirSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** The whole suite needs half of it: the databases of a dozen workers, a browser, the installed packages. */
const freeBytesMin = 4 * 1024 ** 3

/**
 * Returns the directory for what tests store and remove again: in memory on a Linux machine that has room there, because a
 * database is copied and dropped in a tenth of the time that it takes on a disk; else the system's own. Kills of a process
 * find the same files in either.
 */
export function findTemporaryDirectory(): string {
  if (!hasRoomInMemory()) return tmpdir()
  const directory = join(memory, `signalbox-tests-${userInfo().uid}`)
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  return directory
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    // Browsers and scripts are unpacked there, and started.
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm \S+ (\S+)/m)?.[1]
    return bavail * bsize >= freeBytesMin && mount?.split(',').includes('noexec') === false
  } catch {
    return false
  }
}
