import { type ImportSource, importSources } from '@signalbox/contract'
import { importers } from '@signalbox/cli/importers'
import { useState, type DragEvent } from 'react'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { secretInput, SelectField, TextArea } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { readFile, type OpenedExport, type UnreadableExport } from './open-export.ts'

/** Says for each source what its export is, and how to get it. A source without an entry has no such help. */
const exports: Readonly<Partial<Record<ImportSource, string>>> = {
  launchdarkly:
    'The response of GET /api/v2/flags/{project}?summary=0, or that of GET /sdk/latest-all.',
  unleash:
    'The response of GET /api/client/features, or that of POST /api/admin/features-batch/export.',
  growthbook: 'The response of GET /api/features/{clientKey}, not encrypted.',
  flagsmith:
    'The response of GET /api/v1/environment-document/. The export of features works too, without segments and identities.',
  configcat: 'The config_v6.json of one environment, as SDKs get it.',
  flipt: 'What flipt export writes, or a features.yaml, with one namespace.',
  flagd: 'A flag definition, as JSON or YAML.',
  'go-feature-flag': 'A file of flags, as YAML or JSON.',
  posthog:
    'The response of GET /api/projects/{project}/feature_flags/?limit=1000. That of GET /flags/definitions?send_cohorts has the cohorts too.',
  dotenv: 'An .env file.',
  vercel: 'The file that vercel env pull writes.',
  doppler: 'What doppler secrets download --no-file --format json prints.',
  infisical: 'What infisical export --format=json prints.',
  'aws-ssm': 'What aws ssm get-parameters-by-path --recursive --with-decryption prints.',
  'aws-secrets-manager': 'What aws secretsmanager get-secret-value prints.',
  kubernetes: 'Manifests with Secrets and ConfigMaps, or kubectl get secret,configmap -o yaml.',
  vault: 'What vault kv get -format=json prints.',
  names:
    'Names of variables, one on each line, or as JSON. Their keys are declared, and you set the values here.',
}

/** Returns what the export of a source is. `undefined`: nothing is written about it. */
function describeExport(source: ImportSource): string | undefined {
  return exports[source]
}

/** Returns the name of a source as the first word of a list entry. Example: `.env file`. */
function nameOf(source: ImportSource): string {
  return importSources[source].replace(/^an? /, '')
}

/** Limits what a browser is asked to read at once. */
const fileMegabytesMax = 50

/** Holds an export as a person gave it. */
export interface GivenExport {
  /** Names the product. `undefined`: the text decides. */
  readonly source: ImportSource | undefined
  readonly text: string
  /** Names the file. `undefined`: it was pasted. */
  readonly fileName: string | undefined
}

/** Holds nothing yet. */
export const nothingGiven: GivenExport = { source: undefined, text: '', fileName: undefined }

interface SourcePanelProps {
  readonly input: GivenExport
  /** Names the product that the export is read as. */
  readonly source: ImportSource | undefined
  readonly reading: OpenedExport | UnreadableExport | undefined
  readonly onInput: (input: GivenExport) => void
}

/** Asks for the product and its export: a file, or a text. */
export function SourcePanel({ input, source, reading, onInput }: SourcePanelProps) {
  return (
    <Panel title="1. The export">
      <div className="flex max-w-2xl flex-col gap-4">
        <ProductField input={input} source={source} onInput={onInput} />
        <ExportFile input={input} onInput={onInput} />
        {input.fileName === undefined && (
          <TextArea
            label="Or paste it"
            isCode
            rows={4}
            value={input.text}
            {...secretInput}
            onChange={({ target }) => onInput({ ...input, text: target.value })}
          />
        )}
        <Reading input={input} reading={reading} onInput={onInput} />
        <p className="text-sm text-muted">
          This browser reads the export. Nothing is stored before you press Import.{' '}
          <DocsLink page="import">What becomes what</DocsLink>
        </p>
      </div>
    </Panel>
  )
}

const sources = [...importers.values()]
const groups = [
  { label: 'Flags', of: sources.filter(({ variableCodes }) => variableCodes === undefined) },
  {
    label: 'Configuration and secrets',
    of: sources.filter(({ variableCodes }) => variableCodes !== undefined),
  },
]

function ProductField({ input, source, onInput }: Omit<SourcePanelProps, 'reading'>) {
  const named = input.source ?? source
  return (
    <SelectField
      label="Product"
      help={named === undefined ? 'Signalbox recognizes most exports.' : describeExport(named)}
      value={input.source ?? ''}
      onChange={({ target }) =>
        onInput({
          ...input,
          source: sources.find((one) => one.source === target.value)?.source,
        })
      }
    >
      <option value="">
        {source !== undefined && input.source === undefined
          ? `Recognized: ${nameOf(source)}`
          : 'Recognize it'}
      </option>
      {groups.map(({ label, of }) => (
        <optgroup key={label} label={label}>
          {of.map((one) => (
            <option key={one.source} value={one.source}>
              {nameOf(one.source)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

type GivenProps = Pick<SourcePanelProps, 'input' | 'onInput'>

/** Takes a file, chosen or dropped. */
function ExportFile({ input, onInput }: GivenProps) {
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > fileMegabytesMax * 1024 * 1024) {
      setProblem(`${file.name} has more than ${fileMegabytesMax} MB. Use signalbox import.`)
      return
    }
    setProblem(undefined)
    try {
      onInput({ ...input, text: await readFile(file), fileName: file.name })
    } catch {
      setProblem(`The browser can’t read ${file.name}. Choose the file again.`)
    }
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  if (input.fileName !== undefined) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line px-3 py-2">
        <bdi className="min-w-0 font-medium wrap-anywhere">{input.fileName}</bdi>
        <Button onClick={() => onInput({ ...input, text: '', fileName: undefined })}>
          Another file
        </Button>
      </div>
    )
  }
  return (
    <div
      className={`rounded-lg border border-dashed p-4 ${isOver ? 'border-accent bg-raised' : 'border-edge'}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <label className="flex flex-col gap-2">
        <span className="font-medium">Export file</span>
        <input
          type="file"
          className="max-w-full text-sm file:mr-3 file:min-h-8 file:rounded-md file:border file:border-edge file:bg-panel file:px-3 file:py-1 file:text-text"
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <span className="text-sm text-muted">Or drop it here.</span>
      </label>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Says what the export holds, or why it cannot be read. */
function Reading({ input, reading, onInput }: GivenProps & Pick<SourcePanelProps, 'reading'>) {
  if (input.text.trim() === '') return null
  if (reading === undefined) {
    return (
      <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
        This is no export that Signalbox recognizes. Choose the product to see what is wrong with
        it.
      </p>
    )
  }
  if ('violation' in reading) {
    const { violation, looksLike } = reading
    return (
      <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 wrap-anywhere text-bad">
        {violation}
        {looksLike !== undefined && (
          <div className="mt-2 flex flex-wrap items-center gap-2">
            It looks like an export of {nameOf(looksLike)}.
            <Button onClick={() => onInput({ ...input, source: looksLike })}>
              Read it as {nameOf(looksLike)}
            </Button>
          </div>
        )}
      </div>
    )
  }
  return (
    <p role="status">
      {reading.keys === 1 ? '1 key' : `${reading.keys} keys`} from {nameOf(reading.source)}
      {reading.leftOut > 0 && `, and ${reading.leftOut} that can’t be imported`}.
    </p>
  )
}
