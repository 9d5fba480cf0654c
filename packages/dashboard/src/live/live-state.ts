import { createStore } from '../browser/store.ts'

/** Describes how fresh the page is. `stale`: nothing was received for a while, and the page shows what was known at `since`. */
export type LiveState =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'reconnecting' | 'stale'; readonly since: Date }

/** Holds how fresh the page is. */
export const liveState = createStore<LiveState>({ kind: 'connecting' })
