import { useRead } from '../api/use-api.ts'
import { useOrganization } from './organization.ts'

const kinds = {
  codehost: 'the code host',
  tracker: 'the issue tracker',
  chat: 'the chat',
} as const

/** Returns the name of a kind's provider in the current organization. Until it is known, returns the kind. */
export function useProviderName(kind: keyof typeof kinds): string {
  const { params } = useOrganization()
  const { data } = useRead('GET /organizations/{org_id}/integrations', { params })
  return data?.[kind].displayName ?? kinds[kind]
}
