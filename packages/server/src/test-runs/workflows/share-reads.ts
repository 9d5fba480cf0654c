/** Runs a read, or waits for the same one that is under way. */
export type ShareRead = <T>(key: string, read: () => Promise<T>) => Promise<T>

/** Creates what lets all who ask for the same at the same time wait for one read, and share its failure too. */
export function createSharedReads(): ShareRead {
  const underWay = new Map<string, Promise<unknown>>()
  return <T>(key: string, read: () => Promise<T>) => {
    // One key stands for one kind of read, so that its result is of the type that each caller of it expects.
    const same = underWay.get(key) as Promise<T> | undefined
    if (same !== undefined) return same
    const started = read().finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
}
