import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { tagAnswer, type TaggedAnswer } from './tagged-answer.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Lists the encodings in which a file may be sent, best first; the build wrote each of them beside it. */
const encodings = [
  { token: 'br', suffix: '.br' },
  { token: 'gzip', suffix: '.gz' },
] as const

/** Serves the files of a folder. */
export interface Files {
  /** A file of the build as this browser takes it; `undefined` when the build has none of this name. */
  read(name: string, acceptEncoding: string | undefined): TaggedAnswer | undefined
}

/**
 * Opens the files of a folder, by their names. Which there are is known at the start, so that no name leads out of the folder;
 * each is read from the disk when it is first asked for, and kept.
 */
export function openFiles(directory: string): Files {
  const names = new Set(listNames(directory))
  const answers = new Map<string, TaggedAnswer>()
  return {
    read(name, acceptEncoding = '') {
      const contentType = name.endsWith('.schema.json')
        ? 'application/schema+json'
        : contentTypes[extname(name)]
      if (!names.has(name) || contentType === undefined) return undefined
      const encoding = encodings.find(
        ({ token, suffix }) => accepts(acceptEncoding, token) && names.has(name + suffix),
      )
      const stored = name + (encoding?.suffix ?? '')
      const answer =
        answers.get(stored) ??
        tagAnswer(readFileSync(join(directory, stored)), {
          'Content-Type': contentType,
          Vary: 'Accept-Encoding',
          ...(encoding && { 'Content-Encoding': encoding.token }),
        })
      answers.set(stored, answer)
      return answer
    },
  }
}

/** Returns whether a browser takes an encoding: it is listed, and not with the weight 0, which refuses it (RFC 9110 §12.5.3). */
function accepts(acceptEncoding: string, token: string): boolean {
  return acceptEncoding.split(',').some((one) => {
    const [name, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === token && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))
  })
}

/**
 * The names of files, and of nothing that a link leads to; none when the folder was not built, as in a service that runs from
 * its sources.
 */
function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
  } catch {
    return []
  }
}
