import { useNavigate, useSearch } from '@tanstack/react-router'
import { useList } from '../../api/use-api.ts'
import { NoSchema } from '../configs/schema-picker.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { DeleteSchema } from './delete-schema.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { SchemaPage } from './schema-page.tsx'
import { SchemaTable } from './schema-table.tsx'
import { readSchemasSearch, type SchemasSearch } from './search.ts'

const title = 'Schemas'

/** Shows all schemas, or one of them. */
export function SchemasScreen() {
  const { params, can } = useOrganization()
  const search = useSearch({ from: '/$org/schemas' })
  const navigate = useNavigate({ from: '/$org/schemas' })
  const schemas = useList('GET /organizations/{org_id}/config-schemas', {
    params,
    query: { limit: 100 },
  })
  const chosen = schemas.data?.find(({ id }) => id === search.schema)
  if (chosen !== undefined) {
    const open = (change: SchemasSearch) =>
      void navigate({
        search: readSchemasSearch({ schema: chosen.id, view: search.view, ...change }),
        replace: true,
      })
    const close = () => open({})
    return (
      <>
        <SchemaPage
          schema={chosen}
          view={search.view ?? 'fields'}
          onView={(view) => open({ view })}
          onPanel={(panel) => open({ panel })}
        />
        {search.panel === 'edit' && can('developer') && (
          <EditDialog schema={chosen} onClose={close} />
        )}
        {search.panel === 'delete' && can('admin') && (
          <DeleteSchema
            schema={chosen}
            onDeleted={() => void navigate({ search: {}, replace: true })}
            onClose={close}
          />
        )}
      </>
    )
  }
  return (
    <Page title={title}>
      <Loaded query={schemas}>
        {(all) => (all.length === 0 ? <NoSchema /> : <SchemaTable schemas={all} />)}
      </Loaded>
    </Page>
  )
}
