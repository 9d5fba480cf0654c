/** Returns a token behind the `#` of the address, so that no server or proxy on the way has seen it. */
export function readFragment(name: string): string {
  const fragment = location.hash.slice(1)
  return new URLSearchParams(fragment).get(name) ?? ''
}

/** Takes the token out of the address, and out of the browser's history, once it is used up. */
export function forgetFragment(): void {
  history.replaceState(history.state, '', location.pathname)
}
