import { parseDatabaseUrl, parsePoolUrl, type ConnectionTarget } from './connection-target.ts'
import { attachEmbedded, startEmbedded } from './embedded/start-embedded.ts'
import type { StoreLog } from './log.ts'

/** Describes the database of the service: one that is run elsewhere, or its own in a data directory. */
export type DatabaseSource =
  | {
      readonly databaseUrl: string
      /** Names a pooler in front of it, as `SIGNALBOX_POOL_URL` does. Undefined: every connection goes to the database itself. */
      readonly poolUrl?: string | undefined
    }
  | {
      readonly dataDir: string
      /** Lists the directories to search for PostgreSQL when the npm package does not run here: the value of `PATH`. */
      readonly searchPath?: string
      /** Names the directory of the operator's own PostgreSQL programs, which are used instead. */
      readonly ownBin?: string | undefined
      /**
       * Names the directory of the database when root's data directory is out of PostgreSQL's reach. Default
       * `/var/lib/signalbox`.
       */
      readonly systemDir?: string
    }

/** Describes a database that can be connected to. `close` stops it if this process started it. */
export interface OpenDatabase {
  readonly target: ConnectionTarget
  /** Holds one sentence for the operator, if there is something to know. */
  readonly notice: string | undefined
  close(): Promise<void>
  /** Closes it, and removes the files that opening it created. Called when the start fails. */
  discard(): Promise<void>
}

const leave = async () => {}

const embeddedMessages = {
  created: 'Created the embedded database',
  started: 'Started the embedded database',
  adopted: 'Took over the embedded database that another process left running',
} as const

/** Returns the database that the settings select: the one of `databaseUrl`, or else the one in the data directory. */
export function databaseSource({
  databaseUrl,
  poolUrl,
  dataDir,
  searchPath,
  postgresBin: ownBin,
}: DatabaseSettings): DatabaseSource {
  return databaseUrl === undefined ? { dataDir, searchPath, ownBin } : { databaseUrl, poolUrl }
}

interface DatabaseSettings {
  readonly databaseUrl: string | undefined
  readonly poolUrl: string | undefined
  readonly dataDir: string
  readonly searchPath: string
  readonly postgresBin: string | undefined
}

/** Starts or adopts the embedded database, or returns the one of `DATABASE_URL`, which it does not contact. */
export async function openDatabase(
  source: DatabaseSource,
  log: StoreLog,
  signal?: AbortSignal,
): Promise<OpenDatabase> {
  if ('databaseUrl' in source) {
    return {
      target: parseDatabaseUrl(source.databaseUrl),
      notice: undefined,
      close: leave,
      discard: leave,
    }
  }
  const embedded = await startEmbedded({ ...source, log, ...(signal && { signal }) })
  log.info(embeddedMessages[embedded.origin])
  return embedded
}

/** Opens the database for a command. Uses the running service's, or else starts it. */
export async function openDatabaseBeside(
  source: DatabaseSource,
  log: StoreLog,
): Promise<OpenDatabase> {
  if ('databaseUrl' in source) return openDatabase(source, log)
  const { target, running } = await attachEmbedded({ ...source, log })
  if (!running) return openDatabase(source, log)
  return { target, notice: undefined, close: leave, discard: leave }
}

/** Returns the database that another process runs, without starting it, for a process that only delivers. */
export async function attachDatabase(source: DatabaseSource, log: StoreLog): Promise<OpenDatabase> {
  if ('databaseUrl' in source) return openDatabase(source, log)
  const { target, running } = await attachEmbedded({ ...source, log })
  const notice = running ? undefined : `There is no database in ${source.dataDir} yet.`
  return { target, notice, close: leave, discard: leave }
}

/** Returns where the connections of a role go: to the pooler, if there is one, else to the database. */
export function poolTargetOf(
  source: DatabaseSource,
  target: ConnectionTarget,
  role: string,
): ConnectionTarget {
  const poolUrl = 'poolUrl' in source ? source.poolUrl : undefined
  return poolUrl === undefined ? target : parsePoolUrl(poolUrl, role)
}

/** Returns whether a pooler is in front of the database. */
export function hasPooler(source: DatabaseSource): boolean {
  return 'poolUrl' in source && source.poolUrl !== undefined
}
