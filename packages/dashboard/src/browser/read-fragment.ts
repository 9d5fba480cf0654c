/** Returns a token behind the `#` of the address, which browsers send to no server or proxy. */
export function readFragment(name: string): string {
  const fragment = location.hash.slice(1)
  return new URLSearchParams(fragment).get(name) ?? ''
}

/** Removes a used token from the address and from the browser's history. */
export function forgetFragment(): void {
  history.replaceState(history.state, '', location.pathname)
}
