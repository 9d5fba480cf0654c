import { useCallback, useEffect, useMemo } from 'react'
import { createPreference, useStore, type Store } from '../../../browser/store.ts'
import { useOrganization } from '../../../session/organization.ts'
import { useMe } from '../../../session/session.ts'
import { readArrangement, type Arrangement } from './arrange-columns.ts'
import type { MatrixSearch } from './search.ts'

/** Holds the name of the environment that a phone showed last. */
export const lastEnvironment = createPreference('signalbox.matrix.environment')

const preferences = new Map<string, Store<string | null>>()

function preferenceOf(storageKey: string): Store<string | null> {
  const known = preferences.get(storageKey) ?? createPreference(storageKey)
  preferences.set(storageKey, known)
  return known
}

/**
 * Returns how the environments are arranged: as the address says, or else as this person did it in this browser, and the
 * function that arranges them anew. The address has it from then on, for links.
 */
export function useArrangement(search: MatrixSearch, onSearch: (change: MatrixSearch) => void) {
  const { id: orgId } = useOrganization()
  const personId = useMe().data?.id ?? ''
  const preference = preferenceOf(`signalbox.matrix.arrangement.${personId}.${orgId}`)
  const stored = useStore(preference)
  const { order, hidden } = search
  const arrangement = useMemo<Arrangement>(
    () =>
      order === undefined && hidden === undefined
        ? readArrangement(stored)
        : { order: order ?? [], hidden: hidden ?? [] },
    [order, hidden, stored],
  )
  const isOnlyStored = order === undefined && hidden === undefined && stored !== null
  useEffect(() => {
    if (isOnlyStored) onSearch(toSearch(arrangement))
  }, [isOnlyStored, arrangement, onSearch])
  const onArrange = useCallback(
    (next: Arrangement) => {
      const isPlain = next.order.length === 0 && next.hidden.length === 0
      preference.set(isPlain ? null : JSON.stringify(next))
      onSearch(toSearch(next))
    },
    [preference, onSearch],
  )
  return { arrangement, onArrange }
}

function toSearch({ order, hidden }: Arrangement): MatrixSearch {
  return {
    order: order.length > 0 ? order : undefined,
    hidden: hidden.length > 0 ? hidden : undefined,
  }
}
