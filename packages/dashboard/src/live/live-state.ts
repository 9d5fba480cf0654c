/** How fresh the page is. `stale`: nothing was heard for a while, and what is shown is from `since`. */
export type LiveState =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'reconnecting' | 'stale'; readonly since: Date }

type Listener = () => void

let state: LiveState = { kind: 'connecting' }
const listeners = new Set<Listener>()

export const liveState = {
  get: (): LiveState => state,
  set: (next: LiveState): void => {
    state = next
    for (const listener of listeners) listener()
  },
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
