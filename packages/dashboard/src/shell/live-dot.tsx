import { useSyncExternalStore } from 'react'
import { reachability } from '../api/reachability.ts'
import { useStore } from '../browser/store.ts'
import { liveState, type LiveState } from '../live/live-state.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

function describe(state: LiveState): readonly [text: string, color: string] {
  switch (state.kind) {
    case 'connecting':
      return ['Connecting', 'bg-edge']
    case 'live':
      return ['Live', 'bg-ok']
    case 'reconnecting':
      return ['Reconnecting', 'bg-warn']
    case 'stale':
      return [`Stale since ${clock.format(state.since)}`, 'bg-bad']
  }
}

/** The stream stands, and everything else fails. */
const failing = ['Server not responding', 'bg-bad'] as const

/** Shows whether the page is up to date. */
export function LiveDot() {
  const state = useStore(liveState)
  const { readsFail } = useSyncExternalStore(reachability.subscribe, reachability.get)
  const isFailing = state.kind === 'live' && readsFail
  const [text, color] = isFailing ? failing : describe(state)
  return (
    <span
      role="status"
      data-live={isFailing ? 'failing' : state.kind}
      className="inline-flex items-center gap-1.5 px-1 text-sm text-muted"
    >
      <span aria-hidden className={`size-2 rounded-full forced-colors:bg-[CanvasText] ${color}`} />
      <span className={state.kind === 'live' && !isFailing ? 'max-sm:sr-only' : ''}>{text}</span>
    </span>
  )
}
