import { later } from './later.ts'

// Vercel's Edge Runtime has no `AbortSignal.any`, and React Native has neither of the two.

/** Returns a signal that aborts as soon as one of both does. */
export function eitherOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([one, other])
  const both = new AbortController()
  for (const signal of [one, other]) {
    if (signal.aborted) both.abort(signal.reason)
    // Let go together, so that a signal that lives long does not gather listeners.
    signal.addEventListener('abort', () => both.abort(signal.reason), { signal: both.signal })
  }
  return both.signal
}

/** Provides `AbortSignal.timeout`, including on platforms that lack it. */
export const timeouts: { timeout(delayMs: number): AbortSignal } = {
  timeout(delayMs) {
    if ('timeout' in AbortSignal) return AbortSignal.timeout(delayMs)
    const controller = new AbortController()
    const reason = Object.assign(new Error('Timed out'), { name: 'TimeoutError' })
    later(() => controller.abort(reason), delayMs)
    return controller.signal
  },
}
