import { useRead } from '../api/use-api.ts'
import { useOrganization } from './organization.ts'

const kinds = {
  codehost: ['the code host', 'a code host'],
  tracker: ['the issue tracker', 'an issue tracker'],
  chat: ['the chat', 'a chat'],
} as const

/**
 * Returns the name of a kind's provider in the current organization. Until it is known, and where the organization has not
 * chosen among several, returns the kind.
 */
export function useProviderName(kind: keyof typeof kinds): string {
  const { params } = useOrganization()
  const { data } = useRead('GET /organizations/{org_id}/integrations', { params })
  const [known, chosen] = kinds[kind]
  if (data === undefined) return known
  const { id, choices, displayName } = data[kind]
  return id === null && choices.length > 1 ? chosen : displayName
}
