import { useNavigate, useSearch } from '@tanstack/react-router'
import type { IntegrationSearch } from './search.ts'

const from = '/$org/integrations/$kind'

/** Returns what lies over the page of an integration: the address says it, so that it can be sent and outlasts a reload. */
export function usePanel() {
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const show = (next: IntegrationSearch) => void navigate({ search: next, replace: true })
  return { ...search, open: show, close: () => show({}) }
}
