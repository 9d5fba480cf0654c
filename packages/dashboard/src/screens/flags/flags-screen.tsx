import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Flag } from 'lucide-react'
import { SchemaMatrix } from '../../configs/workspace/schema-matrix.tsx'
import { readMatrixSearch, type SearchChange } from '../../configs/workspace/search.ts'
import { CodeBlock } from '../../parts/code.tsx'
import { DocsLink } from '../../parts/docs-link.tsx'
import { EmptyState } from '../../parts/states.tsx'

/** Every flag in every environment. A press turns it at once, but for environments whose changes are reviewed. */
export function FlagsScreen() {
  // The router hands on what the reader left out as well.
  const search = useSearch({ from: '/$org/flags' })
  const navigate = useNavigate({ from: '/$org/flags' })
  const onSearch = useCallback(
    (change: SearchChange) =>
      void navigate({
        search: (before) => readMatrixSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return (
    <SchemaMatrix
      title="Flags"
      tier="featureFlags"
      turnsAtOnce
      search={search}
      onSearch={onSearch}
      empty={<NoFlags />}
    />
  )
}

function NoFlags() {
  return (
    <EmptyState
      icon={Flag}
      title="No flags yet"
      action={<CodeBlock code="newCheckout: { type: 'boolean', default: false }" />}
    >
      A flag is a boolean key in your definition. Once it is there, switch it here in each
      environment; clients follow without a deployment.
      <p className="mt-2">
        <DocsLink page="feature-flags">About flags</DocsLink>
      </p>
    </EmptyState>
  )
}
