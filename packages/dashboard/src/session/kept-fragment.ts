const storageKey = 'fragment'

/** Keeps the fragment of the address while the person signs in: servers, and the address of the sign-in, never get it. */
export function keepFragment({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): void {
  // Nothing stays in a tab that a person has left.
  if (hash === '') sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, JSON.stringify([pathname, hash]))
}

/** Returns the fragment that was kept for a page, such as `#proposal=…`, and forgets it. An empty text: there is none. */
export function takeFragment(pathname: string): string {
  const stored = sessionStorage.getItem(storageKey)
  if (stored === null) return ''
  sessionStorage.removeItem(storageKey)
  const [of, hash]: readonly unknown[] = JSON.parse(stored)
  return of === pathname && typeof hash === 'string' ? hash : ''
}
