import type { FetchLike, SnapshotStorage } from './client-types.ts'

/** Describes a live stream: the platform's `EventSource` in a browser. */
export interface LiveStream {
  /** `error`: the stream ended, was refused, or could not be opened. */
  addEventListener(type: 'error', listener: () => void): void
  addEventListener(type: 'config', listener: (event: { readonly data: string }) => void): void
  close(): void
}

/** Describes the page's visibility: `document` in a browser. */
export interface Page {
  readonly hidden: boolean
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/** Describes the functions of a platform. They are named like the members of `globalThis`, which is the host in a browser. */
export interface Host {
  readonly fetch: FetchLike
  readonly AbortSignal: { timeout(delayMs: number): AbortSignal }
  setTimeout(work: () => void, delayMs: number): ReturnType<typeof setTimeout> | undefined
  readonly EventSource?: (new (url: string) => LiveStream) | undefined
  readonly localStorage?: SnapshotStorage | undefined
  readonly document?: Page | undefined
}
