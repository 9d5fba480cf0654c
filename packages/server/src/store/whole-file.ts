import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from './error-code.ts'

const mark = 'signalbox-file/1'

/** Content that was written to its end, or what is wrong with the file. */
export type WholeFile =
  | { readonly outcome: 'whole'; readonly text: string }
  | { readonly outcome: 'absent' | 'damaged' }

/**
 * Writes `text` so that a crash at any moment leaves the whole of the old or the whole of the new content: to a file
 * beside it, flushed, renamed, and the directory flushed. Readable by the owner alone. `name`, such as
 * `browser/sch_1/env_2/7.json`, is made below `root` with its directories; `root` is not: whoever removes it, even from under
 * a service that still runs, finds nothing of it afterwards. Rejects with `ENOENT` then.
 */
export async function writeWholeFile(root: string, name: string, text: string): Promise<void> {
  const path = join(root, name)
  const directory = await makeBelow(root, name.split('/').slice(0, -1))
  const beside = `${path}.part`
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(`${mark} ${digest(text)}\n${text}`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
  await flushDirectory(directory)
}

/** Reads a file back. One that was cut off or altered is `damaged`, never half of something. */
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

/** Removes a file or a directory with all it holds. Repeat-safe. */
export async function removeWhole(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Makes one directory in the other, from `root` on, and answers the last. */
async function makeBelow(root: string, names: readonly string[]): Promise<string> {
  let directory = root
  for (const name of names) {
    directory = join(directory, name)
    try {
      await mkdir(directory, { mode: 0o700 })
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error
    }
  }
  return directory
}

async function flushDirectory(path: string): Promise<void> {
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
