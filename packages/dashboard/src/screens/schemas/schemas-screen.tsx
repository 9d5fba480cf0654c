import { useNavigate, useSearch } from '@tanstack/react-router'
import { useList } from '../../api/use-api.ts'
import { CreateSchemaDialog } from '../configs/create-schema-dialog.tsx'
import { NoSchema } from '../configs/no-keys.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { DeleteSchema } from './delete-schema.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { SchemaPage } from './schema-page.tsx'
import { SchemaTable } from './schema-table.tsx'
import { readSchemasSearch, type SchemasSearch } from './search.ts'

/** Shows all schemas, or one of them. */
export function SchemasScreen() {
  const search = useSearch({ from: '/$org/schemas' })
  const schemas = useSchemas()
  const chosen = schemas.data?.find(({ id }) => id === search.schema)
  return chosen === undefined ? (
    <AllSchemas schemas={schemas} panel={search.panel} />
  ) : (
    <OneSchema schema={chosen} search={search} />
  )
}

/** Reads the schemas of the organization. */
function useSchemas() {
  const { params } = useOrganization()
  return useList('GET /organizations/{org_id}/config-schemas', { params, query: { limit: 100 } })
}

interface OneSchemaProps {
  readonly schema: ConfigSchema
  readonly search: SchemasSearch
}

/** Shows one schema, and the dialog that the address names. */
function OneSchema({ schema, search }: OneSchemaProps) {
  const { can } = useOrganization()
  const navigate = useNavigate({ from: '/$org/schemas' })
  const open = (change: SchemasSearch) =>
    void navigate({
      search: readSchemasSearch({ schema: schema.id, view: search.view, ...change }),
      replace: true,
    })
  const close = () => open({})
  return (
    <>
      <SchemaPage
        schema={schema}
        view={search.view ?? 'fields'}
        onView={(view) => open({ view })}
        onPanel={(panel) => open({ panel })}
      />
      {search.panel === 'edit' && can('developer') && (
        <EditDialog schema={schema} onClose={close} />
      )}
      {search.panel === 'delete' && can('admin') && (
        <DeleteSchema
          schema={schema}
          onDeleted={() => void navigate({ search: {}, replace: true })}
          onClose={close}
        />
      )}
    </>
  )
}

interface AllSchemasProps {
  readonly schemas: ReturnType<typeof useSchemas>
  readonly panel: SchemasSearch['panel']
}

/** Lists the schemas, and offers to create another one. */
function AllSchemas({ schemas, panel }: AllSchemasProps) {
  const { can } = useOrganization()
  const navigate = useNavigate({ from: '/$org/schemas' })
  const open = (next: SchemasSearch) =>
    void navigate({ search: readSchemasSearch({ ...next }), replace: true })
  const onCreated = (schema: string) => void navigate({ search: { schema } })
  return (
    <Page
      title="Schemas"
      actions={
        can('developer') &&
        (schemas.data?.length ?? 0) > 0 && (
          <Button variant="primary" onClick={() => open({ panel: 'create' })}>
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
      {panel === 'create' && can('developer') && (
        <CreateSchemaDialog onCreated={onCreated} onClose={() => open({})} />
      )}
    </Page>
  )
}
