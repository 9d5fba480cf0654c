import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCodeOf } from './error-code.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Makes a directory and those missing above it, each with `mode` whatever the umask is. One after the other: Node's
 * own recursion never ends where the parent is there and the system still answers ENOENT, as below `/proc`.
 *
 * @throws {OperatorError} that names the directory which cannot be made.
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
    throw new OperatorError(`The directory ${directory} cannot be made (${code}).`, {
      code: 'data_directory_not_made',
      hint: 'Choose another with SIGNALBOX_DATA_DIR, or make it so that this user can write to it.',
      cause: error,
    })
  }
}
