/** Returns the token of a link, behind its `#`: alone, or by its name. */
export function tokenOf(fragment: string): string {
  const text = fragment.replace(/^#/, '')
  return new URLSearchParams(text).get('token') ?? text
}
