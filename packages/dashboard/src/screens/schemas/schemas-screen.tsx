import { useNavigate, useSearch } from '@tanstack/react-router'
import { useList } from '../../api/use-api.ts'
import { NoSchema } from '../../configs/schema-picker.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { SchemaPage } from './schema-page.tsx'
import { SchemaTable } from './schema-table.tsx'

const title = 'Schemas'

/** Which keys there are: all schemas, or one of them. */
export function SchemasScreen() {
  const { params } = useOrganization()
  const search = useSearch({ from: '/$org/schemas' })
  const navigate = useNavigate({ from: '/$org/schemas' })
  const schemas = useList('GET /organizations/{org_id}/config-schemas', {
    params,
    query: { limit: 100 },
  })
  const chosen = schemas.data?.find(({ id }) => id === search.schema)
  if (chosen !== undefined) {
    return (
      <SchemaPage
        schema={chosen}
        view={search.view ?? 'fields'}
        onView={(view) => void navigate({ search: { ...search, view }, replace: true })}
      />
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
