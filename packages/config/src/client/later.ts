/** Starts a timer that does not keep the process running. */
export function later(work: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, delayMs)
  // Only Node has `unref`.
  timer.unref?.()
  return timer
}
