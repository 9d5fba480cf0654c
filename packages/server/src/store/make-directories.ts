import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
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
    throw new OperatorError(`The directory ${directory} cannot be made (${code}).`, {
      code: 'data_directory_not_made',
      advice:
        'Choose another with SIGNALBOX_DATA_DIR, or make it so that this user can write to it.',
      cause: error,
    })
  }
}
