import { useState } from 'react'
import { CircleCheck } from 'lucide-react'
import { call } from '../../api/call.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { Button } from '../../components/button.tsx'
import { TextArea } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { EmptyState, FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import {
  readDefinition,
  readReport,
  toDefinitionText,
  type ReportEntry,
} from '../configs/definition.ts'

interface Result {
  readonly problem?: ApiProblem
  readonly report?: readonly ReportEntry[]
}

/** Checks what another definition would break, without changing anything. */
export function ChangeCheck({ schema }: { readonly schema: ConfigSchema }) {
  const { can } = useOrganization()
  const [text, setText] = useState(() => toDefinitionText(schema))
  const { check, pending, result } = useChangeCheck(schema.id)
  const definition = readDefinition(text)
  if (!can('developer')) {
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
