import { randomBytes } from 'node:crypto'
import { chmod, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CliError } from '../terminal/cli-error.ts'

/** Throws when no file can be written at `path`. @throws {CliError} `no_directory`, `is_directory` */
export async function assertWritablePath(path: string): Promise<void> {
  const directory = dirname(path)
  if (!(await isDirectory(directory))) {
    throw new CliError('usage', 'no_directory', `There is no directory ${directory}.`, {
      advice: `Create it, or choose another: mkdir -p ${directory}`,
    })
  }
  if (await isDirectory(path)) {
    throw new CliError('usage', 'is_directory', `${path} is a directory.`, {
      advice: 'Name a file in it.',
    })
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/**
 * Replaces the file at `path` in one step: a reader sees the old text or the new text, never a part.
 * A symbolic link keeps pointing where it points.
 */
export async function writeFileAtomically(path: string, text: string, mode: number): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = join(
    dirname(target),
    `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`,
  )
  const handle = await open(temporary, 'wx', mode)
  try {
    await handle.writeFile(text, 'utf8')
    await handle.chmod(mode)
    await handle.sync()
    await handle.close()
    await rename(temporary, target)
    await chmod(target, mode)
  } catch (error) {
    await handle.close().catch(() => undefined)
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}
