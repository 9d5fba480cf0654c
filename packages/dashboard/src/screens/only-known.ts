type Search = Record<string, unknown>

/**
 * Lets a screen see of its address what it knows and nothing else: the router would hand on the rest as it came, and a
 * value that was refused with it. Example: an address of another host in `?returnTo=`.
 */
export function onlyKnown<Known extends object>(
  read: (search: Search) => Known,
): (search: Search) => Known {
  return (search) => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  })
}
