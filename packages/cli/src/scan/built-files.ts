import { open, opendir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { BuiltFile } from '@signalbox/config/leak-scan'

/** Describes a built file, or a piece of a large one with its position. */
export interface FilePiece extends BuiltFile {
  /** Counts the lines before this piece. */
  readonly linesBefore: number
  /** Counts the UTF-16 units before the piece in its first line. */
  readonly columnsBefore: number
  /** Says whether it is the first or only piece. */
  readonly isFirst: boolean
}

/** Limits the bytes that are read at once. Larger files are read in pieces. */
const pieceBytes = 16 * 1024 * 1024
/** Sets the overlap of two pieces: longer than any secret in any form, so that none is cut in two. */
const overlapBytes = 256 * 1024
/** Limits the size of a source map, which is JSON and read as a whole. */
const longestMapBytes = 256 * 1024 * 1024

const skipped = new Set(['node_modules', '.git'])

/**
 * Lists the files below `directory` by path, without folders that no build writes, such as `node_modules`. It follows
 * no links.
 */
export async function listBuiltFiles(directory: string): Promise<string[]> {
  const paths: string[] = []
  for await (const entry of await opendir(directory)) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) paths.push(...(await listBuiltFiles(path)))
    } else if (entry.isFile()) paths.push(path)
  }
  return paths.sort()
}

/** Yields the content of a file in pieces of bounded size, which overlap. */
export async function* readPieces(root: string, path: string): AsyncGenerator<FilePiece> {
  const relativePath = relative(root, path)
  const { size } = await stat(path)
  const whole = path.endsWith('.map') && size <= longestMapBytes
  const file = await open(path, 'r')
  try {
    let position = { linesBefore: 0, columnsBefore: 0 }
    const step = whole ? Math.max(size, 1) : pieceBytes
    for (let at = 0; at === 0 || at < size; at += step) {
      const length = Math.min(size - at, step + (whole ? 0 : overlapBytes))
      const content = Buffer.alloc(length)
      await file.read(content, 0, length, at)
      yield { path: relativePath, content, ...position, isFirst: at === 0 }
      position = positionAfter(position, content.subarray(0, step))
    }
  } finally {
    await file.close()
  }
}

type Position = Pick<FilePiece, 'linesBefore' | 'columnsBefore'>

function positionAfter({ linesBefore, columnsBefore }: Position, bytes: Buffer): Position {
  let lines = 0
  let last = -1
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    lines += 1
    last = at
  }
  const tail = bytes.subarray(last + 1).toString('utf8').length
  return {
    linesBefore: linesBefore + lines,
    columnsBefore: lines === 0 ? columnsBefore + tail : tail,
  }
}
