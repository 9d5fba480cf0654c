import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { tiers } from '@signalbox/contract'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { everywhere, useOrganization, wholeSchema } from '../../session/organization.ts'
import { Age } from '../../components/time.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { showToast } from '../../components/toasts.tsx'
import { CreateSchemaDialog } from '../configs/create-schema-dialog.tsx'
import { NoSchema } from '../configs/no-keys.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { tierWords } from '../configs/matrix.ts'
import { DeleteDialog, type DeleteChoice } from '../configs/delete-dialog.tsx'
import { toRequiredOf, useEnvironments } from '../configs/environments.ts'
import { toBody } from '../configs/use-save.ts'
import { EditDialog } from './edit-dialog.tsx'
import { SchemaPage } from './schema-page.tsx'
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
  return useList('GET /organizations/{org_id}/config-schemas', { query: { limit: 100 } })
}

/** Shows one schema, and the dialog that the address names. */
function OneSchema({ schema, search }: Readonly<{ schema: ConfigSchema; search: SchemasSearch }>) {
  const { may } = useOrganization()
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
      {search.panel === 'edit' && may('writeSchemas', wholeSchema(schema.id)) && (
        <EditDialog schema={schema} onClose={close} />
      )}
      {search.panel === 'delete' && may('deleteConfig', wholeSchema(schema.id)) && (
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
  const { may } = useOrganization()
  const mayCreate = may('writeSchemas', everywhere)
  const navigate = useNavigate({ from: '/$org/schemas' })
  const open = (next: SchemasSearch) =>
    void navigate({ search: readSchemasSearch({ ...next }), replace: true })
  const onCreated = (schema: string) => void navigate({ search: { schema } })
  return (
    <Page
      title="Schemas"
      actions={
        mayCreate &&
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
      {panel === 'create' && mayCreate && (
        <CreateSchemaDialog onCreated={onCreated} onClose={() => open({})} />
      )}
    </Page>
  )
}

/** Shows every schema. */
function SchemaTable({ schemas }: { readonly schemas: readonly ConfigSchema[] }) {
  const { slug } = useOrganization()
  return (
    <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
      <Table columns={['Schema', 'Keys', 'Revision', 'Changed']}>
        {schemas.map((schema) => (
          <Row key={schema.id}>
            <Cell className="sm:max-w-80">
              <Link
                to="/$org/schemas"
                params={{ org: slug }}
                search={{ schema: schema.id }}
                className="font-medium"
              >
                {schema.name}
              </Link>
              {schema.description !== '' && (
                <span className="block sm:truncate text-sm text-muted">{schema.description}</span>
              )}
            </Cell>
            <Cell>{toCounts(schema)}</Cell>
            <Cell>{schema.revision}</Cell>
            <Cell>
              <Age at={schema.updatedAt} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}

/** Returns the keys by tier. Example: `5 public, 2 secret, 1 flag`. */
function toCounts({ schema }: ConfigSchema): string {
  const keys = Object.values(schema)
  return tiers
    .map((tier) => [tier, keys.filter((key) => key.tier === tier).length] as const)
    .filter(([, count]) => count > 0)
    .map(
      ([tier, count]) =>
        `${count} ${tierWords[tier]}${tier === 'featureFlags' && count > 1 ? 's' : ''}`,
    )
    .join(', ')
}

interface DeleteSchemaProps {
  readonly schema: ConfigSchema
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a schema after its name was typed. */
function DeleteSchema({ schema, onDeleted, onClose }: DeleteSchemaProps) {
  const { data: environments = [] } = useEnvironments()
  const { id, name, revision } = schema
  const remove = useWrite('DELETE /organizations/{org_id}/config-schemas/{schema_id}')
  const onDelete = ({ force, comment }: DeleteChoice) =>
    remove.mutate({
      params: { schema_id: id },
      query: {
        ...(force && { force: 'true' as const }),
        // The typed name of the schema counts as the confirmation of every protected environment.
        ...toBody({ confirm: toRequiredOf(environments).names, comment }),
      },
      ifMatch: revision,
      onSuccess: () => {
        showToast({ text: `${name} was deleted.` })
        onDeleted()
      },
    })
  return (
    <DeleteDialog
      name={name}
      noun="schema"
      write={remove}
      valuesHelp="Environments have values for it. Delete them together with the schema."
      needsComment={environments.some(({ protection }) => protection.comment)}
      onDelete={onDelete}
      onClose={onClose}
    >
      <p>
        This permanently deletes its keys, their values in every environment and their history.
        Applications that read it get an error.
      </p>
    </DeleteDialog>
  )
}
