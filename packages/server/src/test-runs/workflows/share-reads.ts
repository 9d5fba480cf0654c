/** Runs a read, or waits for the same one that is under way. */
export type ShareRead<T> = (key: string, read: () => Promise<T>) => Promise<T>

/** Creates what lets all who ask for the same at the same time wait for one read, and share its failure too. */
export function createSharedReads<T>(): ShareRead<T> {
  const underWay = new Map<string, Promise<T>>()
  return (key, read) => {
    const same = underWay.get(key)
    if (same !== undefined) return same
    const started = read().finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
}
