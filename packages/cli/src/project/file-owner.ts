import { lstat, stat } from 'node:fs/promises'
import { delimiter, dirname, resolve, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { CliError } from '../terminal/cli-error.ts'

/** Describes whose files may name the server of a token and the code to run. */
export interface Trust {
  /** Holds the id of the user. `undefined` on Windows, where files have no numeric owners. */
  readonly uids: ReadonlySet<number> | undefined
  /** Lists the absolute directories in which everything is trusted, whoever owns it. */
  readonly directories: readonly string[]
}

/**
 * Trusts the user, root, the user who became root by `sudo`, and the owner of this program, whose code runs already;
 * and the directories of SIGNALBOX_SAFE_DIRECTORY, separated as in PATH.
 */
export async function readTrust(env: Readonly<Partial<Record<string, string>>>): Promise<Trust> {
  const safe = (env['SIGNALBOX_SAFE_DIRECTORY'] ?? '')
    .split(delimiter)
    .filter((path) => path !== '')
  const directories = safe.map((path) => resolve(path))
  const uid = process.getuid?.()
  if (uid === undefined) return { uids: undefined, directories }
  const program = await stat(fileURLToPath(import.meta.url))
  const caller = uid === 0 && /^\d+$/.test(env['SUDO_UID'] ?? '') ? [Number(env['SUDO_UID'])] : []
  return { uids: new Set([0, uid, program.uid, ...caller]), directories }
}

/**
 * Refuses a file that another user has written or could replace: anybody may write to `/tmp`, which is above
 * everybody's directories. It is the rule of git's `safe.directory`.
 *
 * @throws {CliError} `foreign_file` naming the owner and the setting that allows it
 */
export async function assertTrusted(path: string, { uids, directories }: Trust): Promise<void> {
  const directory = dirname(path)
  if (uids === undefined || directories.some((safe) => isWithin(safe, path))) return
  const owners = await Promise.all([stat(directory), lstat(path), stat(path)])
  const foreign = owners.find(({ uid }) => !uids.has(uid))
  if (foreign === undefined) return
  throw new CliError(
    'validation',
    'foreign_file',
    `${path} belongs to another user (uid ${foreign.uid}), who could use it to steal your token or run code as you.`,
    { advice: `If you trust that user: SIGNALBOX_SAFE_DIRECTORY=${directory}` },
  )
}

function isWithin(directory: string, path: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`)
}
