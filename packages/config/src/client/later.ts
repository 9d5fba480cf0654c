/** A timer that does not keep a process running. */
export function later(work: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, delayMs)
  // Only Node has it.
  timer.unref?.()
  return timer
}
