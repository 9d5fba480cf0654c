import { Problem } from '@signalbox/contract'
import type { z } from 'zod'
import { sign, verifySignature } from '../../crypto/sign.ts'

/** Describes the list that a cursor is valid for. */
export interface CursorScope {
  /** Holds the organization, or the person when there is none. */
  readonly subject: string
  readonly route: string
}

/**
 * Writes and reads the cursors of lists. They are opaque to callers, and valid only for the list they were made for.
 */
export interface Cursors {
  /**
   * Renders a cursor. `position` is where the next page begins: JSON, and nothing secret, because callers could decode
   * it.
   */
  write(scope: CursorScope, position: unknown): string
  /**
   * Returns the position in a cursor. @throws {Problem} `invalid_cursor` for anything that `write` did not make for the
   * same scope
   */
  read<T extends z.ZodType>(scope: CursorScope, cursor: string, position: T): z.output<T>
}

/** Creates cursors that are signed with `key`, which must be the same on every node. */
export function createCursors(key: Buffer): Cursors {
  return {
    write(scope, position) {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
      return `${payload}.${sign(key, signed(scope, payload))}`
    },
    read(scope, cursor, position) {
      const [payload = '', signature = '', ...rest] = cursor.split('.')
      if (rest.length > 0 || !verifySignature(key, signed(scope, payload), signature)) {
        throw invalidCursor()
      }
      const decoded: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const result = position.safeParse(decoded)
      if (!result.success) throw invalidCursor()
      return result.data
    },
  }
}

function signed({ subject, route }: CursorScope, payload: string): string {
  return JSON.stringify(['cursor', subject, route, payload])
}

function invalidCursor(): Problem {
  const detail =
    'Use the nextCursor of the previous page of the same list, or start without a cursor.'
  return new Problem('invalid_cursor', detail, {
    errors: [{ pointer: '?cursor', code: 'invalid_cursor', detail }],
  })
}
