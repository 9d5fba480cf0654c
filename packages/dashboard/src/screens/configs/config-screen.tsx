import { NoKeys } from './no-keys.tsx'
import { useMatrixSearch } from './use-matrix-search.ts'
import { SchemaMatrix } from './workspace/schema-matrix.tsx'

/** Shows every key in every environment. */
export function ConfigScreen() {
  const matrixSearch = useMatrixSearch('/$org/config')
  return (
    <SchemaMatrix
      title="Configuration"
      {...matrixSearch}
      empty={(schemaId) => (
        <NoKeys schemaId={schemaId} onAdd={() => matrixSearch.onSearch({ panel: 'add' })} />
      )}
    />
  )
}
