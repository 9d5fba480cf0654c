import { useNavigate, useSearch } from '@tanstack/react-router'
import type { IntegrationSearch } from './search.ts'

const from = '/$org/integrations/$kind'

/** Returns the open dialog of an integration. The address holds it, so that it can be shared and survives a reload. */
export function usePanel() {
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const show = (next: IntegrationSearch) => void navigate({ search: next, replace: true })
  return { ...search, open: show, close: () => show({}) }
}
