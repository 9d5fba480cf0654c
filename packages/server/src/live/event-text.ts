import type { LiveEvent } from '@signalbox/contract/rest'
import { takeRandomBytes } from '../crypto/random.ts'
import type { ChangeRef } from './change-window.ts'

/** Tells readers that everything may have changed. */
export const everything: ChangeRef = { topic: 'all', id: '' }

/** Renders an event. `position` is the state its reader has reached, which comes back as `Last-Event-ID`. */
export function renderChange({ topic, id }: ChangeRef, position: bigint): string {
  const data: LiveEvent = id === '' ? { topic } : { topic, id }
  return `id: ${position}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Renders a line that is no event. It moves `Last-Event-ID` forward, and keeps the connection from looking idle. */
export function renderPosition(position: bigint): string {
  return `id: ${position}\n\n`
}

/**
 * Renders the field `retry:` with 1 to 5 s, so that pages that lose their server together reconnect at different times.
 */
export function renderRetry(): string {
  const [high = 0, low = 0] = takeRandomBytes(2)
  return `retry: ${1_000 + Math.floor(((high * 256 + low) * 4_000) / 65_536)}\n\n`
}
