/** Returns whether a text is the address of a server: no query, no fragment, no credentials. */
export function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  const isPlain = search === '' && hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'https:' || protocol === 'http:')
}

/** Returns the address that paths are added to. A server may be below a path. Example: `https://acme.dev/chat`. */
export function toBaseUrl(text: string): string {
  // A setting that was refused is reported when the service starts. No call is made with it.
  if (!URL.canParse(text)) return text
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/**
 * Returns the id of an account. Ids of users are unique on their server alone, so the server is a part of it. Example:
 * `https://chat.acme.dev/4xp9fdt77pncbef59f4k1qe83o`.
 */
export function toAccountId(baseUrl: string, userId: string): string {
  return `${baseUrl}/${userId}`
}

/** Returns the server and the user of an account's id. */
export function fromAccountId(accountId: string): {
  readonly baseUrl: string
  readonly userId: string
} {
  const end = accountId.lastIndexOf('/')
  return { baseUrl: accountId.slice(0, end), userId: accountId.slice(end + 1) }
}
