import { Flag } from 'lucide-react'
import { CodeBlock } from '../../components/code.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useMatrixSearch } from './use-matrix-search.ts'
import { SchemaMatrix } from './workspace/schema-matrix.tsx'

/** Renders every flag in every environment. A press turns it at once, except in environments that require a review. */
export function FlagsScreen() {
  const matrixSearch = useMatrixSearch('/$org/flags')
  return (
    <SchemaMatrix
      title="Flags"
      tier="featureFlags"
      turnsAtOnce
      {...matrixSearch}
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
