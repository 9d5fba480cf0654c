import { setTimeout as delay } from 'node:timers/promises'
import type { Listening } from '../../kit.ts'

/** Drains every address at once, and resolves after the pause; at once where there is none, as nobody calls the process. */
export async function drainAll(listening: readonly Listening[], pauseMs: number): Promise<void> {
  if (listening.length === 0) return
  for (const listener of listening) listener.drain(pauseMs)
  await delay(pauseMs)
}
