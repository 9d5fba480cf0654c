import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Leak, scanFile, type SecretPatterns } from '@signalbox/config/leak-scan'
import { type FilePiece, listBuiltFiles, readPieces } from './built-files.ts'

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
