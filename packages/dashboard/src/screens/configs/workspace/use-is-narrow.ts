import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 40rem)')

/** Returns whether only one column fits, as on a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => narrow.matches,
  )
}
