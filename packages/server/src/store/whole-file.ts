import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCodeOf } from './error-code.ts'

const mark = 'signalbox-file/1'

/** Describes a file that was read: its complete content, or that it is absent or damaged. */
export type WholeFile =
  | { readonly outcome: 'whole'; readonly text: string }
  | { readonly outcome: 'absent' | 'damaged' }

/**
 * Writes `text` so that a crash at any moment leaves either the old or the new content: to a second file, flushed,
 * renamed, and the directory flushed. Only the owner can read it. Creates `name`, such as `browser/sch_1/env_2/7.json`,
 * below `root` with its directories, but not `root` itself: if somebody removes that under a running service, nothing
 * reappears. Rejects with `ENOENT` then.
 */
export async function writeWholeFile(root: string, name: string, text: string): Promise<void> {
  const path = join(root, name)
  await makeBelow(root, name.split('/').slice(0, -1))
  const beside = `${path}.part`
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(`${mark} ${digest(text)}\n${text}`)
    await renameFlushed(file, beside, path)
  } finally {
    await file.close()
  }
}

/** Gives a file that is written its name, so that it is there and whole whenever the power is cut from then on. */
export async function renameFlushed(file: FileHandle, from: string, to: string): Promise<void> {
  await file.sync()
  await rename(from, to)
  await flushDirectory(dirname(to))
}

/** Reads a file back. A truncated or altered file is `damaged`, and never returned in part. */
export async function readWholeFile(path: string): Promise<WholeFile> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return { outcome: 'absent' }
    throw error
  }
  const lineEnd = content.indexOf('\n')
  const text = content.slice(lineEnd + 1)
  const isWhole = lineEnd !== -1 && content.slice(0, lineEnd) === `${mark} ${digest(text)}`
  return isWhole ? { outcome: 'whole', text } : { outcome: 'damaged' }
}

/** Removes a file, or a directory with its contents. Safe to repeat. */
export async function removeWhole(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Removes a directory with its contents, so that no loss of power brings it back. Safe to repeat. */
export async function removeDirectoryForGood(path: string): Promise<void> {
  await removeWhole(path)
  try {
    await flushDirectory(dirname(path))
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error
  }
}

/** Creates nested directories below `root`. */
async function makeBelow(root: string, names: readonly string[]): Promise<void> {
  let directory = root
  for (const name of names) {
    directory = join(directory, name)
    try {
      await mkdir(directory, { mode: 0o700 })
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error
    }
  }
}

/** Flushes the names in a directory to the disk. */
export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
