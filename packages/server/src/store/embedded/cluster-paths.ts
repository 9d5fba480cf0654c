import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeDirectories } from '../make-directories.ts'
import { OperatorError } from '../operator-error.ts'
import { canReach, type RunAs } from './run-as.ts'

/** Locates the parts of the embedded database of one data directory. */
export interface ClusterPaths {
  /** Contains everything below; PostgreSQL's user can pass through it. */
  readonly base: string
  /** Contains copies of PostgreSQL's programs where its user cannot read those of the package. */
  readonly programs: string
  /** Names PostgreSQL's own data directory. */
  readonly cluster: string
  /** Contains the socket, private to PostgreSQL's user. Its path is short enough for a Unix socket. */
  readonly socketDir: string
  readonly logFile: string
  /** Tells the operator in one sentence where the database is, when that is not the data directory. */
  readonly notice: string | undefined
}

/** Names the port in the socket's file name. PostgreSQL listens on no TCP port. */
export const socketPort = 5432

/** Names the socket of the server. */
export const socketName = `.s.PGSQL.${socketPort}`

/** Limits the path to `sockaddr_un.sun_path` less the terminator: 103 bytes on macOS, 107 on Linux. */
const socketPathBytesMax = 103

/** Hashes the path of a data directory, to name it in directories that several of them share. */
async function hashOf(dataDir: string): Promise<string> {
  const path = existsSync(dataDir) ? await realpath(dataDir) : resolve(dataDir)
  return createHash('sha256').update(path).digest('hex').slice(0, 12)
}

/** Returns the directory itself, or the nearest existing one above it: whatever is created below will be passable. */
function existingPartOf(directory: string): string {
  return existsSync(directory) ? directory : existingPartOf(dirname(directory))
}

function pathsIn(base: string, shortBase: string, notice: string | undefined): ClusterPaths {
  const candidates = [join(base, 'run'), shortBase]
  const socketDir = candidates.find(
    (directory) => Buffer.byteLength(join(directory, socketName)) <= socketPathBytesMax,
  )
  if (socketDir === undefined) {
    throw new OperatorError(`No directory for the database's socket is short enough: ${shortBase}`)
  }
  const logFile = join(base, 'postgres.log')
  const programs = join(base, 'programs')
  return { base, programs, cluster: join(base, 'postgres'), socketDir, logFile, notice }
}

/**
 * Locates the cluster of `dataDir`, existing or not. It is inside, unless PostgreSQL's user cannot get there (root with
 * a data directory under a 0700 home); then it is under `systemDir` and `notice` says so. An existing cluster always
 * stays where it is.
 */
export async function locateCluster(options: {
  readonly dataDir: string
  readonly systemDir: string
  readonly runAs: RunAs
}): Promise<ClusterPaths> {
  const { dataDir, systemDir, runAs } = options
  const hash = await hashOf(dataDir)
  const inside = resolve(dataDir)
  const outside = join(systemDir, hash)
  const short = runAs === undefined ? join(tmpdir(), `signalbox-${hash}`) : join(outside, 'run')
  const reachable = await canReach(existingPartOf(inside), runAs)
  if (reachable && !existsSync(join(outside, 'postgres', 'PG_VERSION'))) {
    return pathsIn(inside, short, undefined)
  }
  if (existsSync(join(inside, 'postgres', 'PG_VERSION'))) {
    if (reachable) return pathsIn(inside, short, undefined)
    throw new OperatorError(
      `When root starts Signalbox, PostgreSQL runs as uid ${runAs?.uid}, which has no access to ${join(inside, 'postgres')}.`,
      { advice: 'Allow access through every directory above it (chmod o+x).' },
    )
  }
  const notice = `The database is in ${outside}: ${inside} cannot be reached by uid ${runAs?.uid}, which PostgreSQL runs as when started by root.`
  return pathsIn(outside, short, notice)
}

/** Lists the uppermost directories and files that opening the cluster for the first time will create. */
export function listMissing({
  base,
  programs,
  cluster,
  socketDir,
  logFile,
}: ClusterPaths): readonly string[] {
  return [base, programs, cluster, socketDir, logFile]
    .filter((path) => !existsSync(path))
    .map(uppermostMissing)
}

function uppermostMissing(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) ? path : uppermostMissing(parent)
}

/** Creates the directories of a cluster. Refuses a socket directory that another user created first. */
export async function preparePaths(paths: ClusterPaths, runAs: RunAs): Promise<void> {
  // PostgreSQL's user has to pass through when it is not the user of this process.
  const mode = runAs === undefined ? 0o700 : 0o711
  await makeDirectories(paths.base, mode)
  await makeDirectories(paths.socketDir, mode)
  const socketDirStat = await lstat(paths.socketDir)
  const owner = runAs?.uid ?? process.getuid?.()
  const expectedOwners = [owner, process.getuid?.()]
  if (!socketDirStat.isDirectory() || !expectedOwners.includes(socketDirStat.uid)) {
    throw new OperatorError(`The directory ${paths.socketDir} belongs to another user.`, {
      advice: 'Remove it.',
    })
  }
  await chmod(paths.socketDir, 0o700)
  if (runAs !== undefined) await chown(paths.socketDir, runAs.uid, runAs.gid)
}
