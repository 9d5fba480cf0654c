import { open, opendir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import {
  type BuiltFile,
  type Leak,
  type SecretPatterns,
  scanFile,
} from '@signalbox/config/leak-scan'

/** Holds the leaks in a directory, and how much was read. */
export interface Scanned {
  readonly leaks: readonly Leak[]
  readonly files: number
  readonly bytes: number
}

/** Scans every file below `path`, or that file. */
export async function scanDirectory(path: string, patterns: SecretPatterns): Promise<Scanned> {
  const isDirectory = (await stat(path)).isDirectory()
  const root = isDirectory ? path : dirname(path)
  const paths = isDirectory ? await listBuiltFiles(path) : [path]
  const leaks: Leak[] = []
  let bytes = 0
  for (const each of paths) {
    bytes += (await stat(each)).size
    leaks.push(...(await scanOne(root, each, patterns)))
  }
  return { leaks, files: paths.length, bytes }
}

async function scanOne(root: string, path: string, patterns: SecretPatterns): Promise<Leak[]> {
  const leaks = new Map<string, Leak>()
  for await (const piece of readPieces(root, path)) {
    for (const leak of scanFile(piece, patterns)) {
      const placed = inWholeFile(leak, piece)
      // A leak in the overlap of two pieces is found in both.
      leaks.set(JSON.stringify(placed), placed)
    }
  }
  return [...leaks.values()]
}

function inWholeFile(leak: Leak, { linesBefore, columnsBefore, path }: FilePiece): Leak {
  // A source in a source map has lines of its own.
  if (leak.path !== path) return leak
  return {
    ...leak,
    line: leak.line + linesBefore,
    column: leak.line === 1 ? leak.column + columnsBefore : leak.column,
  }
}

/** Describes a built file, or a piece of a large one with its position. */
interface FilePiece extends BuiltFile {
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
async function listBuiltFiles(directory: string): Promise<string[]> {
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
async function* readPieces(root: string, path: string): AsyncGenerator<FilePiece> {
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
