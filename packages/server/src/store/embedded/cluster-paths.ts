import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeDirectories } from '../make-directories.ts'
import { OperatorError } from '../operator-error.ts'
import { canReach, type RunAs } from './run-as.ts'

/** Where the embedded database of one data directory keeps its parts. */
export interface ClusterPlace {
  /** Holds everything below; passable by the user PostgreSQL runs as. */
  readonly base: string
  /** Copies of PostgreSQL's programs, where its user cannot read those of the package. */
  readonly programs: string
  /** PostgreSQL's own data directory. */
  readonly cluster: string
  /** Private to PostgreSQL's user; its path is short enough for a Unix socket. */
  readonly socketDir: string
  readonly logFile: string
  /** What a person should know about the place, in one sentence. */
  readonly notice: string | undefined
}

export const socketPort = 5432

const socketName = `.s.PGSQL.${socketPort}`

/** Room in `sockaddr_un.sun_path`, less the terminator: 103 on macOS, 107 on Linux. */
const socketPathBytesMax = 103

/** Names the data directory `dataDir` in places shared by several of them. */
async function hashOf(dataDir: string): Promise<string> {
  const path = existsSync(dataDir) ? await realpath(dataDir) : resolve(dataDir)
  return createHash('sha256').update(path).digest('hex').slice(0, 12)
}

/** The directory itself, or the nearest one above it that exists: what is made below it will be passable. */
function existingPartOf(directory: string): string {
  return existsSync(directory) ? directory : existingPartOf(dirname(directory))
}

function placeIn(base: string, shortBase: string, notice: string | undefined): ClusterPlace {
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
 * Says where the cluster of `dataDir` is, or would be. It is inside, unless PostgreSQL's user cannot get
 * there (root with a data directory under a 0700 home); then it is under `systemDir` and the notice says so.
 * A cluster that exists is never left for another place.
 */
export async function placeCluster(options: {
  readonly dataDir: string
  readonly systemDir: string
  readonly runAs: RunAs
}): Promise<ClusterPlace> {
  const { dataDir, systemDir, runAs } = options
  const hash = await hashOf(dataDir)
  const inside = resolve(dataDir)
  const outside = join(systemDir, hash)
  const short = runAs === undefined ? join(tmpdir(), `signalbox-${hash}`) : join(outside, 'run')
  const reachable = await canReach(existingPartOf(inside), runAs)
  if (reachable && !existsSync(join(outside, 'postgres', 'PG_VERSION'))) {
    return placeIn(inside, short, undefined)
  }
  if (existsSync(join(inside, 'postgres', 'PG_VERSION'))) {
    if (reachable) return placeIn(inside, short, undefined)
    throw new OperatorError(
      `The database in ${join(inside, 'postgres')} cannot be reached by uid ${runAs?.uid}, which PostgreSQL runs as when started by root.`,
      { hint: 'Make every directory above it passable (chmod o+x).' },
    )
  }
  const notice = `The database is in ${outside}: ${inside} cannot be reached by uid ${runAs?.uid}, which PostgreSQL runs as when started by root.`
  return placeIn(outside, short, notice)
}

/** The uppermost paths that opening `place` for the first time will make. */
export function listMissing({
  base,
  programs,
  cluster,
  socketDir,
  logFile,
}: ClusterPlace): readonly string[] {
  return [base, programs, cluster, socketDir, logFile]
    .filter((path) => !existsSync(path))
    .map(uppermostMissing)
}

function uppermostMissing(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) ? path : uppermostMissing(parent)
}

/** Makes the directories of `place`. Refuses a socket directory that somebody else made first. */
export async function preparePlace(place: ClusterPlace, runAs: RunAs): Promise<void> {
  // Where PostgreSQL runs as another user, that one has to pass through.
  const mode = runAs === undefined ? 0o700 : 0o711
  await makeDirectories(place.base, mode)
  await makeDirectories(place.socketDir, mode)
  const found = await lstat(place.socketDir)
  const owner = runAs?.uid ?? process.getuid?.()
  const expectedOwners = [owner, process.getuid?.()]
  if (!found.isDirectory() || !expectedOwners.includes(found.uid)) {
    throw new OperatorError(`The directory ${place.socketDir} belongs to somebody else.`, {
      hint: 'Remove it.',
    })
  }
  await chmod(place.socketDir, 0o700)
  if (runAs !== undefined) await chown(place.socketDir, runAs.uid, runAs.gid)
}
