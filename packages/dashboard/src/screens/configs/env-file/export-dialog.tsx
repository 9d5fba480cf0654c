import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Checkbox, SelectField } from '../../../components/field.tsx'
import { saveFile } from '../../../browser/save-file.ts'
import { Segments } from '../../../components/tabs.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { Matrix, MatrixEnvironment } from '../matrix.ts'
import { exportFormats, type ExportFormat, type MatrixSearch } from '../workspace/search.ts'
import { renderEnvText, type EnvValue } from './render-env-text.ts'

const labels: Readonly<Record<ExportFormat, string>> = { env: '.env', json: 'JSON' }
const formats = exportFormats.map((value) => ({ value, label: labels[value] }))

interface ExportDialogProps {
  readonly matrix: Matrix
  readonly search: MatrixSearch
  readonly onSearch: (change: MatrixSearch) => void
  readonly onClose: () => void
}

/**
 * Exports the values of one environment to a file. The address holds the environment and the format. It never
 * includes secrets, or a link from somebody else could: the person chooses them here, which the audit log records.
 */
export function ExportDialog({ matrix, search, onSearch, onClose }: ExportDialogProps) {
  const { may } = useOrganization()
  const { environments, schema } = matrix
  const environment = environments.find(({ name }) => name === search.from) ?? environments[0]
  const format = search.format ?? exportFormats[0]
  const [withSecrets, setWithSecrets] = useState(false)
  const { save, pending, problem } = useExport(schema, format)
  const secrets = matrix.keys.filter(({ tier }) => tier === 'secret').length
  const reach = { schemaId: schema.id, environmentId: environment?.id }
  const mayRead = secrets > 0 && may('readSecrets', reach)
  const submit = async () => {
    if (environment !== undefined && (await save(environment, mayRead && withSecrets))) onClose()
  }
  return (
    <FormDialog
      title="Export an environment"
      description="What clients receive: set, inherited and default values. Staged changes are not included."
      write={{ isPending: pending, error: problem }}
      submitLabel="Save file"
      disabled={environment === undefined}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <SelectField
        label="Environment"
        value={environment?.name}
        onChange={({ target }) => onSearch({ from: target.value })}
      >
        {environments.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </SelectField>
      <div>
        <Segments
          label="Format"
          options={formats}
          value={format}
          onChange={(chosen) => onSearch({ format: chosen })}
        />
      </div>
      {mayRead && (
        <Checkbox
          label={`Include the ${secrets === 1 ? 'secret' : `${secrets} secrets`} in plain text`}
          help="The audit log records that you read them. Anyone with the file can read them too."
          checked={withSecrets}
          onChange={({ target }) => setWithSecrets(target.checked)}
        />
      )}
    </FormDialog>
  )
}

/** Reads the values of an environment and saves them as a file. `save` resolves to whether it succeeded. */
function useExport(schema: Matrix['schema'], format: ExportFormat) {
  const { params } = useOrganization()
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)

  const save = async ({ id, name }: MatrixEnvironment, withSecrets: boolean): Promise<boolean> => {
    setPending(true)
    setProblem(null)
    try {
      const { values } = await call('GET /organizations/{org_id}/config-values', {
        params,
        query: {
          schemaId: schema.id,
          environmentId: id,
          ...(withSecrets && { reveal: 'true' }),
        },
      })
      const entries = Object.entries(values).flatMap(([key, { value, variable }]) =>
        value === undefined ? [] : [{ key, value, variable }],
      )
      saveEntries(`${schema.name}.${name}`, format, entries)
      return true
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      setProblem(error)
      return false
    } finally {
      setPending(false)
    }
  }
  return { save, pending, problem }
}

function saveEntries(name: string, format: ExportFormat, entries: readonly EnvValue[]): void {
  if (format === 'json') {
    const text = `${JSON.stringify(Object.fromEntries(entries.map(({ key, value }) => [key, value])), undefined, 2)}\n`
    saveFile(`${name}.json`, new Blob([text], { type: 'text/plain' }))
    return
  }
  const { text, leftOut } = renderEnvText(entries)
  saveFile(`${name}.env`, new Blob([text], { type: 'text/plain' }))
  if (leftOut.length > 0) {
    const names = leftOut.slice(0, 5).join(', ')
    const more = leftOut.length > 5 ? ` and ${leftOut.length - 5} more` : ''
    showToast({
      text: `Not in the file, because dotenv cannot hold them: ${names}${more}.`,
      tone: 'bad',
    })
  }
}
