/**
 * Returns the part of an address that every member may know: many receivers have their credential in the path or the query.
 * Example: `https://hooks.example.com/…`.
 */
export function cutUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? url : `${origin}/…`
}
