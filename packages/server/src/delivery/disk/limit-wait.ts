/** Lets a disk that hangs hold up a change for so long, and no more. */
const waitMs = 10_000

/**
 * Wraps a write that is waited for, so that readers of a node do not wait for a disk that hangs. While a write goes on that was waited
 * for in vain, the next ones are not waited for at all.
 */
export function limitWait<Args extends readonly unknown[]>(
  write: (...args: Args) => Promise<void>,
  limitMs = waitMs,
): (...args: Args) => Promise<void> {
  let hanging = 0
  return async (...args) => {
    const mayWait = hanging === 0
    const writing = write(...args)
    if (!mayWait) return
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        hanging += 1
        void writing.finally(() => (hanging -= 1))
        resolve()
      }, limitMs)
    })
    await Promise.race([writing, limit])
    clearTimeout(timer)
  }
}
