/**
 * Returns a function that runs `work` once at a time. A call during a run waits for the next one, because the current
 * one may have read too early.
 */
export function runOneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = () => {
    current = work().finally(() => {
      current = undefined
    })
    return current
  }
  const beginNext = () => {
    next = undefined
    return begin()
  }
  return () => {
    if (current === undefined) return begin()
    next ??= current.then(beginNext, beginNext)
    return next
  }
}
