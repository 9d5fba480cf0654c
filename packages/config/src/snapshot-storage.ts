/** Keeps the last known good copy of a snapshot. `localStorage` is one. */
export interface SnapshotStorage {
  getItem(key: string): string | null
  setItem(key: string, text: string): void | Promise<void>
}
