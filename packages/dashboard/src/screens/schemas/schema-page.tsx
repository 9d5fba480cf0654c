import { Link, useNavigate } from '@tanstack/react-router'
import { renderTypes } from '@signalbox/contract'
import { ImportLink } from '../configs/add-key/import-link.tsx'
import { NoKeys } from '../configs/no-keys.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Segments } from '../../components/tabs.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ChangeCheck } from './change-check.tsx'
import { toDefinitionText } from '../configs/definition.ts'
import { FieldTable } from './field-table.tsx'
import type { SchemasSearch } from './search.ts'

type View = NonNullable<SchemasSearch['view']>

const views = [
  { value: 'fields', label: 'Keys' },
  { value: 'change', label: 'Check a change' },
  { value: 'code', label: 'For your code' },
] as const

interface SchemaPageProps {
  readonly schema: ConfigSchema
  readonly view: View
  readonly onView: (view: View) => void
  readonly onPanel: (panel: 'edit' | 'delete') => void
}

/** Shows one schema: its keys by tier, what another definition would break, and what its code needs. */
export function SchemaPage({ schema, view, onView, onPanel }: SchemaPageProps) {
  return (
    <Page
      title={schema.name}
      beside={
        <span className="text-muted">
          revision {schema.revision}, changed <Age at={schema.updatedAt} />
        </span>
      }
      actions={<SchemaActions schema={schema} onPanel={onPanel} />}
    >
      {schema.description !== '' && <p className="break-words text-muted">{schema.description}</p>}
      <div>
        <Segments label="View" options={views} value={view} onChange={onView} />
      </div>
      {view === 'fields' && <Fields schema={schema} />}
      {view === 'change' && <ChangeCheck key={schema.revision} schema={schema} />}
      {view === 'code' && <ForCode schema={schema} />}
    </Page>
  )
}

/** Leads to the other schemas and to the values, and offers to edit or delete the schema. */
function SchemaActions({ schema, onPanel }: Pick<SchemaPageProps, 'schema' | 'onPanel'>) {
  const { slug, can } = useOrganization()
  return (
    <>
      <Link to="/$org/schemas" params={{ org: slug }} className={buttonClass('quiet')}>
        All schemas
      </Link>
      <Link
        to="/$org/config"
        params={{ org: slug }}
        search={{ schema: schema.id }}
        className={buttonClass('plain')}
      >
        Values
      </Link>
      {can('developer') && <ImportLink schemaId={schema.id} />}
      <RowMenu
        label={`Actions for ${schema.name}`}
        items={[
          ...(can('developer') ? [{ label: 'Edit', onSelect: () => onPanel('edit') }] : []),
          ...(can('admin')
            ? [{ label: 'Delete', danger: true, onSelect: () => onPanel('delete') }]
            : []),
        ]}
      />
    </>
  )
}

/** Lists the keys of a schema, or offers to add the first one. */
function Fields({ schema }: Pick<SchemaPageProps, 'schema'>) {
  const { slug } = useOrganization()
  const navigate = useNavigate()
  if (Object.keys(schema.schema).length > 0) return <FieldTable schema={schema} />
  const addKey = () =>
    void navigate({
      to: '/$org/config',
      params: { org: slug },
      search: { schema: schema.id, panel: 'add' },
    })
  return <NoKeys schemaId={schema.id} onAdd={addKey} />
}

/** Shows what a repository has of the schema: the commands that change it, its types, and its definition. */
function ForCode({ schema }: Pick<SchemaPageProps, 'schema'>) {
  return (
    <>
      <Panel title="Change it from your code">
        <p className="mb-3 text-muted">
          The definition lives in your repository, where your team reviews it. A push shows what it
          would break before it changes anything.
        </p>
        <CodeBlock code="npx --no-install signalbox diff && npx --no-install signalbox push" />
      </Panel>
      <TypesPanel schema={schema} />
      <Panel title="As JSON">
        <CodeBlock isLong code={toDefinitionText(schema)} />
      </Panel>
    </>
  )
}

/** Shows the TypeScript types of the keys, as the command line writes them. */
function TypesPanel({ schema: { name, schema } }: { readonly schema: ConfigSchema }) {
  return (
    <Panel title="As TypeScript sees it">
      <p className="mb-3 text-muted">
        For programs that read this schema without its definition. The command writes the types to a
        file, and with <code>--check</code> it checks that the file is up to date.
      </p>
      <CodeBlock code="npx --no-install signalbox types" />
      <div className="mt-3">
        <CodeBlock isLong code={renderTypes({ schemaName: name, schema, secrets: true })} />
      </div>
    </Panel>
  )
}
