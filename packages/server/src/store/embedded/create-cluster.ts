import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../operator-error.ts'
import type { PostgresBinaries } from './binaries.ts'
import { isAlive } from './server-process.ts'
import type { RunAs } from './run-as.ts'

/** Names the owner of the embedded database. It logs in only through the private socket. */
export const embeddedUser = 'signalbox'

const run = promisify(execFile)

/** Returns the major version of `cluster`; `undefined` when there is none. */
export async function findClusterMajor(cluster: string): Promise<number | undefined> {
  const path = join(cluster, 'PG_VERSION')
  return existsSync(path) ? Number((await readFile(path, 'utf8')).trim()) : undefined
}

/**
 * Selects collation by code point, from PostgreSQL itself, so that an update of the operating system never changes the
 * sort order.
 */
function localeOptions(major: number): string[] {
  return major >= 17 ? ['--locale-provider=builtin', '--locale=C.UTF-8'] : ['--locale=C']
}

const draftMark = '.new-'

/** Removes the drafts of processes that were killed during `initdb`. */
async function removeAbandonedDrafts(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}${draftMark}`
  const names = (await readdir(dirname(cluster))).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const pid = Number(name.slice(prefix.length))
    if (pid === process.pid || !(await isAlive(pid))) {
      await rm(join(dirname(cluster), name), { recursive: true, force: true })
    }
  }
}

/** Returns advice for the failure of `initdb` to look up its user, which needs a name. */
function adviceFor(said: string): string | undefined {
  if (!said.includes('could not look up effective user ID')) return undefined
  return (
    'PostgreSQL needs a user with an entry in /etc/passwd: run as such a user (in a container also root), ' +
    'add an entry for this user, or set DATABASE_URL.'
  )
}

/** Creates an empty cluster. It gets its name only when it is complete and on disk. */
export async function createCluster(options: {
  readonly cluster: string
  readonly binaries: PostgresBinaries
  readonly runAs: RunAs
}): Promise<void> {
  const { cluster, binaries, runAs } = options
  await removeAbandonedDrafts(cluster)
  const draft = `${cluster}${draftMark}${process.pid}`
  await mkdir(draft, { mode: 0o700 })
  if (runAs !== undefined) await chown(draft, runAs.uid, runAs.gid)
  const args = ['-D', draft, '-U', embeddedUser, '--encoding=UTF8', '--data-checksums']
  args.push('--auth-local=trust', '--auth-host=reject', '--no-instructions')
  try {
    await run(binaries.initdb, [...args, ...localeOptions(binaries.major)], {
      ...runAs,
      cwd: dirname(cluster),
      env: { LC_ALL: 'C', TZ: 'UTC' },
    })
    await rename(draft, cluster)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process made the same cluster first.
    if ((await findClusterMajor(cluster)) !== undefined) return
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    const advice = adviceFor(said)
    throw new OperatorError(
      `The database could not be created in ${cluster}: ${said || String(error)}`,
      { cause: error, ...(advice !== undefined && { advice }) },
    )
  }
}
