type Search = Record<string, unknown>

/** Why a way through the provider led nowhere: whatever page it was begun on, the shell tells it and takes it away. */
const ofShell = 'error'

/**
 * Lets a screen see of its address what it knows and nothing else: the router would hand on the rest as it came, and a
 * value that was refused with it. Example: an address of another host in `?returnTo=`.
 */
export function onlyKnown<Known extends object>(
  read: (search: Search) => Known,
): (search: Search) => Known {
  return (search) => {
    const others = Object.keys(search).filter((name) => name !== ofShell)
    return { ...Object.fromEntries(others.map((name) => [name, undefined])), ...read(search) }
  }
}
