import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCodeOf } from './error-code.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Creates a directory and the missing ones above it, each with `mode` whatever the umask is. They are created one by
 * one: Node's own recursion never ends where the parent exists and the system still answers ENOENT, as below `/proc`.
 *
 * @throws {OperatorError} that names the directory which cannot be created.
 */
export async function makeDirectories(directory: string, mode: number): Promise<void> {
  if (existsSync(directory)) return
  await makeDirectories(dirname(directory), mode)
  try {
    await mkdir(directory)
    await chmod(directory, mode)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EEXIST') return
    throw new OperatorError(`Cannot create the directory ${directory} (${code}).`, {
      code: 'data_directory_not_made',
      advice:
        'Choose another with SIGNALBOX_DATA_DIR, or create it so that this user can write to it.',
      cause: error,
    })
  }
}

/** Lists why the ignore file is not written: it is there, or this directory is not this user's to write to. */
const leftAsIs: ReadonlySet<string | undefined> = new Set(['EEXIST', 'EACCES', 'EPERM', 'EROFS'])

/**
 * Creates the data directory, and keeps git from it: by default it is made in the directory where the service was
 * started, which may be somebody's project, and it holds the root key. An ignore file that is there stays as it is.
 *
 * @throws {OperatorError} as `makeDirectories`
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  await makeDirectories(directory, 0o700)
  try {
    await writeFile(join(directory, '.gitignore'), '*\n', { flag: 'wx' })
  } catch (error) {
    if (!leftAsIs.has(errorCodeOf(error))) throw error
  }
}
