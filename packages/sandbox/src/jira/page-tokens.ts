import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Describes the tokens of a search's pages. Each is valid for the query it was made for, and for seven days. */
export interface PageTokens {
  write(start: number): string
  /** Returns where the page starts, or `undefined` when the token belongs to another query or is too old. */
  read(token: string): number | undefined
}

const lifetimeMs = 7 * 24 * 60 * 60 * 1000

/** Creates the page tokens of one query. */
export function createPageTokens(clock: Clock, jql: string): PageTokens {
  const mark = createHash('sha256').update(jql).digest('hex').slice(0, 16)
  return {
    write: (start) =>
      Buffer.from(`${mark}:${start}:${clock.now().getTime()}`).toString('base64url'),
    read(token) {
      const text = Buffer.from(token, 'base64url').toString('utf8')
      const [, ofQuery, start, at] = /^([0-9a-f]{16}):(\d+):(\d+)$/.exec(text) ?? []
      if (ofQuery !== mark || clock.now().getTime() - Number(at) >= lifetimeMs) return undefined
      return Number(start)
    },
  }
}
