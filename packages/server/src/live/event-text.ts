import type { LiveEvent } from '@signalbox/contract/rest'
import { takeRandomBytes } from '../crypto/random.ts'
import type { Hint } from './hint-window.ts'

/** What says that everything may have changed. */
export const everything: Hint = { topic: 'all', id: '' }

/** An event. `position` is what its reader has seen: `Last-Event-ID` when it comes back. */
export function renderHint({ topic, id }: Hint, position: bigint): string {
  const data: LiveEvent = id === '' ? { topic } : { topic, id }
  return `id: ${position}\ndata: ${JSON.stringify(data)}\n\n`
}

/** No event: moves `Last-Event-ID` on, and keeps the connection from looking idle. */
export function renderPosition(position: bigint): string {
  return `id: ${position}\n\n`
}

/** `retry:` between 1 and 5 s, so that pages that lost their server together come back apart. */
export function renderRetry(): string {
  const [high = 0, low = 0] = takeRandomBytes(2)
  return `retry: ${1_000 + Math.floor(((high * 256 + low) * 4_000) / 65_536)}\n\n`
}
