import { Problem } from '@signalbox/contract'
import type { z } from 'zod'
import { sign, verifySignature } from '../../crypto/sign.ts'

/** Where a cursor is good: nowhere else can it be used. */
export interface CursorPlace {
  /** The organization, or the person when there is none. */
  readonly subject: string
  readonly route: string
}

/** Makes and reads the cursors of lists: opaque to callers, and only good where they were made. */
export interface Cursors {
  /** `position` is what the next page begins after: JSON, and nothing secret, because callers could decode it. */
  write(place: CursorPlace, position: unknown): string
  /** @throws {Problem} `invalid_cursor` for anything that `write` did not make for the same place. */
  read<T extends z.ZodType>(place: CursorPlace, cursor: string, position: T): z.output<T>
}

/** Opens cursors signed with `key`: every node must have the same. */
export function createCursors(key: Buffer): Cursors {
  return {
    write(place, position) {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
      return `${payload}.${sign(key, signed(place, payload))}`
    },
    read(place, cursor, position) {
      const [payload = '', signature = '', ...rest] = cursor.split('.')
      if (rest.length > 0 || !verifySignature(key, signed(place, payload), signature)) {
        throw invalidCursor()
      }
      const given: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const result = position.safeParse(given)
      if (!result.success) throw invalidCursor()
      return result.data
    },
  }
}

function signed({ subject, route }: CursorPlace, payload: string): string {
  return JSON.stringify(['cursor', subject, route, payload])
}

function invalidCursor(): Problem {
  const detail = 'Use the nextCursor of the page before, on the same list, or begin without one.'
  return new Problem('invalid_cursor', detail, {
    errors: [{ pointer: '?cursor', code: 'invalid_cursor', detail }],
  })
}
