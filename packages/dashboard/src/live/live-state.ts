import { createStore } from '../browser/store.ts'

/** Describes how fresh the page is. `stale`: no message for a while, so the page shows the data of `since`. */
export type LiveState =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'reconnecting' | 'stale'; readonly since: Date }

/** Holds how fresh the page is. */
export const liveState = createStore<LiveState>({ kind: 'connecting' })
