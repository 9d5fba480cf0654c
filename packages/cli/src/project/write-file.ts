import { randomBytes } from 'node:crypto'
import { chmod, open, realpath, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

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
