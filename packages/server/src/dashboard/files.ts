import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { tagAnswer, type TaggedAnswer } from '../http/tagged-answer.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** How a file may be sent, best first; the build wrote each of them beside it. */
const encodings = [
  { token: 'br', suffix: '.br' },
  { token: 'gzip', suffix: '.gz' },
] as const

export interface Files {
  /** A file of the build as this browser takes it; `undefined` when the build has none of this name. */
  read(name: string, acceptEncoding: string | undefined): TaggedAnswer | undefined
}

/**
 * The files of a folder, by their names. Which there are is known at the start, so that no name leads out of the folder;
 * each is read from the disk when it is first asked for, and kept.
 */
export function openFiles(directory: string): Files {
  const names = new Set(listNames(directory))
  const bodies = new Map<string, Buffer>()
  const bodyOf = (name: string): Buffer => {
    const body = bodies.get(name) ?? readFileSync(join(directory, name))
    bodies.set(name, body)
    return body
  }
  return {
    read(name, acceptEncoding = '') {
      const contentType = contentTypes[extname(name)]
      if (!names.has(name) || contentType === undefined) return undefined
      const accepted = new Set(acceptEncoding.split(',').map((one) => one.split(';', 1)[0]?.trim()))
      const encoding = encodings.find(
        ({ token, suffix }) => accepted.has(token) && names.has(name + suffix),
      )
      return tagAnswer(bodyOf(name + (encoding?.suffix ?? '')), {
        'Content-Type': contentType,
        Vary: 'Accept-Encoding',
        ...(encoding && { 'Content-Encoding': encoding.token }),
      })
    },
  }
}

/** Nothing, when the dashboard was not built, as in a service that runs from its sources. */
function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}
