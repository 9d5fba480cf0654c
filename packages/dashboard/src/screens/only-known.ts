type Search = Record<string, unknown>

/** Names the parameter of a failed authorization at the provider. The shell shows it on every page and removes it. */
const ofShell = 'error'

/**
 * Limits a screen to the known parameters of its address. The router would pass on the others, and refused values
 * with them, such as an address of another host in `?returnTo=`.
 */
export function onlyKnown<Known extends object>(
  read: (search: Search) => Known,
): (search: Search) => Known {
  return (search) => {
    const others = Object.keys(search).filter((name) => name !== ofShell)
    return { ...Object.fromEntries(others.map((name) => [name, undefined])), ...read(search) }
  }
}
