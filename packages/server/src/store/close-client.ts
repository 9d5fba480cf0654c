import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

const limitMs = 1_000

/** Ends a connection without trusting the other side to answer: it is gone, or will be when the process is. */
export async function closeClient(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined)
  await Promise.race([ended, delay(limitMs, undefined, { ref: false })])
}
