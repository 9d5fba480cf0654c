import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

const limitMs = 1_000

/** Ends a connection and waits at most a second for it: the server may never answer. */
export async function closeClient(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined)
  await Promise.race([ended, delay(limitMs, undefined, { ref: false })])
}
