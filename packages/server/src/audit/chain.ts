import { createHash } from 'node:crypto'
import type { ChainHead, ChainLink } from './rows.ts'

/** Holds the link that the first event of a chain follows. */
export const chainStart: Pick<ChainHead, 'sequence' | 'hash'> = {
  sequence: 0,
  hash: Buffer.of(0),
}

/** Describes a violation of a chain, and the event that has it. */
export interface ChainViolation {
  /** Null when the violation is an event that is not there. */
  readonly eventId: string | null
  readonly sequence: number
  readonly reason: 'missing' | 'changed' | 'not_linked' | 'end_differs'
}

/** Finds the violation of `link` as the one after `previous`, or `undefined` when it follows as it should. */
export function findLinkViolation(
  previous: Pick<ChainHead, 'sequence' | 'hash'>,
  link: ChainLink,
): ChainViolation | undefined {
  const { id: eventId, sequence } = link
  const expected = previous.sequence + 1
  if (sequence !== expected) return { eventId: null, sequence: expected, reason: 'missing' }
  if (!link.previousHash.equals(previous.hash)) return { eventId, sequence, reason: 'not_linked' }
  const hash = createHash('sha256').update(previous.hash).update(link.fields.join('\n')).digest()
  return hash.equals(link.hash) ? undefined : { eventId, sequence, reason: 'changed' }
}
