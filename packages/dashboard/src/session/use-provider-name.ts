import { useRead } from '../api/use-api.ts'

const kinds = {
  codehost: ['the code host', 'a code host', 'No code host'],
  tracker: ['the issue tracker', 'an issue tracker', 'No issue tracker'],
  chat: ['the chat', 'a chat', 'No chat'],
} as const

type Kind = keyof typeof kinds

/**
 * Returns the name of a kind's provider in the current organization. Until it is known, and where the organization has not
 * chosen among several, returns the kind.
 */
export function useProviderName(kind: Kind): string {
  return useProvider(kind).name
}

/** Returns the text of a link to the page of a kind. Example: `Connect an issue tracker`. */
export function useProviderLink(kind: Kind): string {
  const { name, isOpen } = useProvider(kind)
  return isOpen ? `Connect ${name}` : `Open ${name}`
}

/**
 * Returns the heading for a kind that is not connected. Example: `No chat is connected`. It names the provider where there is
 * only one.
 */
export function useMissingTitle(kind: Kind): string {
  const { name, isOpen } = useProvider(kind)
  if (isOpen) return `${kinds[kind][2]} is connected`
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} is not connected`
}

/** Returns whether nothing of a kind is connected. False until it is known. */
export function useIsMissing(kind: Kind): boolean {
  const { data } = useRead('GET /organizations/{org_id}/integrations')
  return data?.[kind].state === 'not_connected'
}

/** `isOpen`: nothing is connected, and there is not exactly one that could be: several, or none before an operator sets one up. */
function useProvider(kind: Kind): { readonly name: string; readonly isOpen: boolean } {
  const { data } = useRead('GET /organizations/{org_id}/integrations')
  const [known, chosen] = kinds[kind]
  if (data === undefined) return { name: known, isOpen: false }
  const { id, choices, displayName } = data[kind]
  const isOpen = id === null && choices.filter(({ needs }) => needs === null).length !== 1
  return { name: isOpen ? chosen : displayName, isOpen }
}
