import { useState } from 'react'
import type { ConfigValue } from '@signalbox/contract'
import { call } from '../../api/call.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, SelectField } from '../../parts/field.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { FormProblem } from '../../parts/states.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'
import type { Matrix } from '../matrix.ts'
import {
  exportFormats,
  type ExportFormat,
  type MatrixSearch,
  type SearchChange,
} from '../workspace/search.ts'
import { renderEnvText } from './render-env-text.ts'

const labels: Readonly<Record<ExportFormat, string>> = { env: '.env', json: 'JSON' }
const formats = exportFormats.map((value) => ({ value, label: labels[value] }))

interface ExportDialogProps {
  readonly matrix: Matrix
  readonly search: MatrixSearch
  readonly onSearch: (change: SearchChange) => void
  readonly onClose: () => void
}

/**
 * Saves the values of one environment as a file; the address says of which and as what. Secrets only when that is chosen,
 * and the audit log says so: no address chooses it, or a link from somebody else could.
 */
export function ExportDialog({ matrix, search, onSearch, onClose }: ExportDialogProps) {
  const { can, params } = useOrganization()
  const { environments, schema } = matrix
  const environment = environments.find(({ name }) => name === search.from) ?? environments[0]
  const format = search.format ?? exportFormats[0]
  const [withSecrets, setWithSecrets] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const secrets = matrix.keys.filter(({ tier }) => tier === 'secret').length

  const save = async () => {
    if (environment === undefined) return
    setPending(true)
    setProblem(null)
    try {
      const { values } = await call('GET /organizations/{org_id}/config-values', {
        params,
        query: {
          schemaId: schema.id,
          environmentId: environment.id,
          ...(withSecrets && { reveal: 'true' }),
        },
      })
      const entries = Object.entries(values).flatMap(([key, { value }]) =>
        value === undefined ? [] : [[key, value] as const],
      )
      saveEntries(`${schema.name}.${environment.name}`, format, entries)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      setProblem(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog
      title="Export an environment"
      description="What clients receive: set, inherited and default values. Staged changes are not included."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) void save()
        }}
      >
        <FormProblem problem={problem} />
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
        {secrets > 0 && can('developer') && (
          <Checkbox
            label={`Include the ${secrets === 1 ? 'secret' : `${secrets} secrets`} in plain text`}
            hint="The audit log records that you read them. Anyone with the file can read them too."
            checked={withSecrets}
            onChange={({ target }) => setWithSecrets(target.checked)}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            pending={pending}
            disabled={environment === undefined}
          >
            Save file
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Entries = readonly (readonly [key: string, value: ConfigValue])[]

function saveEntries(name: string, format: ExportFormat, entries: Entries): void {
  if (format === 'json') {
    const text = `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`
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
