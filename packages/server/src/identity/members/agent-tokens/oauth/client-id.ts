/** Describes an assistant as the document at its `client_id` describes it. */
export interface AssistantClient {
  /** Holds the address of the document. */
  readonly clientId: string
  /** Holds the host of the document, the only thing about the assistant that is verified. */
  readonly host: string
  /** Holds the name that the document gives the assistant; `null`: none that can be shown. */
  readonly name: string | null
  readonly redirectUris: readonly string[]
}

const longest = 500

/**
 * Returns the address of a Client ID Metadata Document, or `undefined` when a text is none: a path, no fragment, no
 * credentials, and written as browsers write it, so that a host cannot look like another one. Plain http passes here; the egress
 * sends it only to hosts that the operator has named.
 *
 * @see draft-ietf-oauth-client-id-metadata-document §3
 */
export function parseClientId(text: string): URL | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // Another spelling of the same address, such as `/a/../b` or an umlaut, would be another client of the same name.
  const isPlain = url.href === text && url.hash === '' && !text.includes('#')
  const isAddress = /^https?:$/.test(url.protocol) && url.pathname !== '/'
  return isPlain && isAddress && url.username === '' && url.password === '' ? url : undefined
}
