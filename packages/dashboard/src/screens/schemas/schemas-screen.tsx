import { useNavigate, useSearch } from '@tanstack/react-router'
import { useList } from '../../api/use-api.ts'
import { CreateSchemaDialog } from '../configs/create-schema-dialog.tsx'
import { NoSchema } from '../configs/no-keys.tsx'
import { Button } from '../../components/button.tsx'
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
  const openList = (next: SchemasSearch) =>
    void navigate({ search: readSchemasSearch({ ...next }), replace: true })
  const onCreated = (schema: string) => void navigate({ search: { schema } })
  return (
    <Page
      title={title}
      actions={
        can('developer') &&
        (schemas.data?.length ?? 0) > 0 && (
          <Button variant="primary" onClick={() => openList({ panel: 'create' })}>
            New schema
          </Button>
        )
      }
    >
      <Loaded query={schemas}>
        {(all) =>
          all.length === 0 ? <NoSchema onCreated={onCreated} /> : <SchemaTable schemas={all} />
        }
      </Loaded>
      {search.panel === 'create' && can('developer') && (
        <CreateSchemaDialog onCreated={onCreated} onClose={() => openList({})} />
      )}
    </Page>
  )
}
