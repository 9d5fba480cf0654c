import { useState } from 'react'
import type { ConfigValue } from '@signalbox/contract'
import { call } from '../../api/call.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, SelectField } from '../../parts/field.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'
import type { Matrix } from '../matrix.ts'
import { renderEnvText } from './render-env-text.ts'

const formats = [
  { value: 'env', label: '.env' },
  { value: 'json', label: 'JSON' },
] as const
type Format = (typeof formats)[number]['value']

/** Saves the values of one environment as a file. Secrets only when that is chosen, and the audit log says so. */
export function ExportDialog({
  matrix,
  onClose,
}: {
  readonly matrix: Matrix
  readonly onClose: () => void
}) {
  const { can, params } = useOrganization()
  const { environments, schema } = matrix
  const [environmentId, setEnvironmentId] = useState(environments[0]?.id ?? '')
  const [format, setFormat] = useState<Format>('env')
  const [withSecrets, setWithSecrets] = useState(false)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const environment = environments.find(({ id }) => id === environmentId)
  const secrets = matrix.keys.filter(({ tier }) => tier === 'secret').length

  const save = async () => {
    setPending(true)
    setProblem(null)
    try {
      const { values } = await call('GET /organizations/{org_id}/config-values', {
        params,
        query: { schemaId: schema.id, environmentId, ...(withSecrets && { reveal: 'true' }) },
      })
      const entries = Object.entries(values).flatMap(([key, { value }]) =>
        value === undefined ? [] : [[key, value] as const],
      )
      saveFile(`${schema.name}.${environment?.name ?? ''}`, format, entries)
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
      description="What clients receive there: set, inherited and default values. What is staged is not in it."
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
          value={environmentId}
          onChange={({ target }) => setEnvironmentId(target.value)}
        >
          {environments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <div>
          <Segments label="Format" options={formats} value={format} onChange={setFormat} />
        </div>
        {secrets > 0 && can('developer') && (
          <Checkbox
            label={`With the ${secrets === 1 ? 'secret' : `${secrets} secrets`}, in the clear`}
            hint="The audit log says that you read them. Whoever gets the file has them."
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

function saveFile(name: string, format: Format, entries: Entries): void {
  if (format === 'json') {
    download(`${name}.json`, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
    return
  }
  const { text, leftOut } = renderEnvText(entries)
  download(`${name}.env`, text)
  if (leftOut.length > 0) {
    const names = leftOut.slice(0, 5).join(', ')
    const more = leftOut.length > 5 ? ` and ${leftOut.length - 5} more` : ''
    showToast({
      text: `Not in the file, because dotenv cannot hold them: ${names}${more}.`,
      tone: 'bad',
    })
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own hold on the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
