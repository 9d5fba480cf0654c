import { Link, useNavigate } from '@tanstack/react-router'
import { renderTypes } from '@signalbox/contract'
import { useState } from 'react'
import { CircleCheck } from 'lucide-react'
import { Button, buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Segments } from '../../components/tabs.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization, wholeSchema } from '../../session/organization.ts'
import { call } from '../../api/call.ts'
import { ApiProblem } from '../../api/problem.ts'
import { TextArea } from '../../components/field.tsx'
import { EmptyState, FormProblem } from '../../components/states.tsx'
import { ImportLink } from '../configs/add-key/import-link.tsx'
import { NoKeys } from '../configs/no-keys.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import {
  readDefinition,
  readReport,
  toDefinitionText,
  type ReportEntry,
} from '../configs/definition.ts'
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
  const { slug, may } = useOrganization()
  const mayChange = may('writeSchemas', wholeSchema(schema.id))
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
      {mayChange && <ImportLink schemaId={schema.id} />}
      <RowMenu
        label={`Actions for ${schema.name}`}
        items={[
          ...(mayChange ? [{ label: 'Edit', onSelect: () => onPanel('edit') }] : []),
          ...(may('deleteConfig', wholeSchema(schema.id))
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

interface Result {
  readonly problem?: ApiProblem
  readonly report?: readonly ReportEntry[]
}

/** Checks what another definition would break, without changing anything. */
function ChangeCheck({ schema }: { readonly schema: ConfigSchema }) {
  const { may } = useOrganization()
  const [text, setText] = useState(() => toDefinitionText(schema))
  const { check, pending, result } = useChangeCheck(schema.id)
  const definition = readDefinition(text)
  if (!may('writeSchemas', wholeSchema(schema.id))) {
    return (
      <EmptyState title="Your role can’t check changes">Ask a developer or an admin.</EmptyState>
    )
  }
  return (
    <Panel title="What would another definition break?">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (definition.ok && !pending) void check(definition.schema)
        }}
      >
        <TextArea
          label="Definition, as JSON"
          help="Edit it, then check it against every stored value."
          error={definition.ok ? undefined : definition.error}
          isCode
          rows={14}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <div>
          <Button type="submit" variant="primary" pending={pending} disabled={!definition.ok}>
            Check
          </Button>
        </div>
        {result.problem?.code === 'breaking_change' && result.problem.errors.length === 0 ? (
          <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
            Stored values would not fit this definition. Nothing was changed.
          </p>
        ) : (
          <FormProblem problem={result.problem ?? null} />
        )}
        {result.problem && <Errors problem={result.problem} />}
        {result.report && <Report report={result.report} />}
      </form>
    </Panel>
  )
}

/** Has the server check a definition against every stored value. */
function useChangeCheck(schemaId: string) {
  const { params } = useOrganization()
  const [pending, setPending] = useState(false)
  const [result, setResult] = useState<Result>({})
  const check = async (schema: ConfigSchema['schema']) => {
    setPending(true)
    try {
      const { report } = await call('PUT /organizations/{org_id}/config-schemas/{schema_id}', {
        params: { ...params, schema_id: schemaId },
        body: { schema, dryRun: true },
      })
      setResult({ report })
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      setResult({ problem: error, report: readReport(error.fields) })
    } finally {
      setPending(false)
    }
  }
  return { check, pending, result }
}

function Errors({ problem }: { readonly problem: ApiProblem }) {
  if (problem.errors.length === 0) return null
  return (
    <ul className="list-disc pl-5">
      {problem.errors.map(({ pointer, detail }) => (
        <li key={`${pointer} ${detail}`} className="break-words">
          <code>{pointer}</code>: {detail}
        </li>
      ))}
    </ul>
  )
}

function Report({ report }: { readonly report: readonly ReportEntry[] }) {
  const affected = report.filter(
    ({ missing, invalid, orphaned }) => missing.length + invalid.length + orphaned.length > 0,
  )
  if (affected.length === 0) {
    return (
      <p role="status" className="inline-flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={16} /> Nothing breaks: every stored value fits.
      </p>
    )
  }
  return (
    <ul aria-label="Problems" className="divide-y divide-line rounded-lg border border-line">
      {affected.map(({ environment, missing, invalid, orphaned }) => (
        <li key={environment} className="flex flex-col gap-1 px-3 py-2">
          <span className="font-semibold">{environment}</span>
          {missing.length > 0 && <span className="break-words">Missing: {missing.join(', ')}</span>}
          {invalid.map(({ key, detail }) => (
            <span key={key} className="break-words text-bad">
              <code>{key}</code>: {detail}
            </span>
          ))}
          {orphaned.length > 0 && (
            <span className="break-words text-warn">
              Values left without a key: {orphaned.join(', ')}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
