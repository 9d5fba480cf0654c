import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Layers } from 'lucide-react'
import {
  NoSchema,
  SchemaPicker,
  WithSchema,
  type ConfigSchema,
} from '../../configs/schema-picker.tsx'
import { useMatrix } from '../../configs/matrix.ts'
import { MatrixWorkspace } from '../../configs/workspace/matrix-workspace.tsx'
import { readMatrixSearch, type SearchChange } from '../../configs/workspace/search.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { EmptyState, Loaded, Skeleton } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'

const title = 'Configuration'

/** Every key in every environment. */
export function ConfigScreen() {
  const { schema } = useSearch({ from: '/$org/config' })
  return (
    <WithSchema chosen={schema} title={<Page title={title}>{null}</Page>}>
      {(chosen, schemas) => <SchemaMatrix schema={chosen} schemas={schemas} />}
    </WithSchema>
  )
}

interface SchemaMatrixProps {
  readonly schema: ConfigSchema
  readonly schemas: readonly ConfigSchema[]
}

function SchemaMatrix({ schema, schemas }: SchemaMatrixProps) {
  const search = useSearch({ from: '/$org/config' })
  const navigate = useNavigate({ from: '/$org/config' })
  const onSearch = useCallback(
    (change: SearchChange) =>
      void navigate({
        search: (before) => readMatrixSearch({ ...before, ...change }),
        replace: true,
      }),
    [navigate],
  )
  return (
    <Loaded query={useMatrix(schema.id)} skeleton={<Skeleton lines={14} />}>
      {(matrix) => (
        <MatrixWorkspace
          key={matrix.schema.id}
          title={title}
          matrix={matrix}
          schemaPicker={
            <SchemaPicker
              schemas={schemas}
              schemaId={schema.id}
              onPick={(id) => onSearch({ schema: id, filter: undefined })}
            />
          }
          search={search}
          onSearch={onSearch}
          empty={<NoKeys hasEnvironments={matrix.environments.length > 0} />}
        />
      )}
    </Loaded>
  )
}

/** A schema without keys, or an organization without environments. */
function NoKeys({ hasEnvironments }: { readonly hasEnvironments: boolean }) {
  const { slug } = useOrganization()
  if (hasEnvironments) return <NoSchema />
  return (
    <EmptyState
      icon={Layers}
      title="No environments yet"
      action={
        <Link
          to="/$org/environments"
          params={{ org: slug }}
          search={{ panel: 'create' }}
          className={buttonLook('primary')}
        >
          Create an environment
        </Link>
      }
    >
      Each environment is a column here: the same keys, with values of its own or inherited ones.
    </EmptyState>
  )
}
