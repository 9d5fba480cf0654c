import { NoFlags } from './no-keys.tsx'
import { useMatrixSearch } from './use-matrix-search.ts'
import { SchemaMatrix } from './workspace/schema-matrix.tsx'

/** Renders every flag in every environment. */
export function FlagsScreen() {
  const matrixSearch = useMatrixSearch('/$org/flags')
  return (
    <SchemaMatrix
      title="Flags"
      tier="featureFlags"
      {...matrixSearch}
      empty={(schemaId) => (
        <NoFlags schemaId={schemaId} onAdd={() => matrixSearch.onSearch({ panel: 'add' })} />
      )}
    />
  )
}
