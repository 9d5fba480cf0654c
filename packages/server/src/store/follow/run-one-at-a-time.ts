/** Runs one piece of work at a time. Whoever asks during one gets the next: the one under way may have seen too little. */
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
