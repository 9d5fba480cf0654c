import type { ApiProblem } from '../../api/problem.ts'
import { Checkbox, secretInput, SelectField, TextArea, TextField } from '../../components/field.tsx'
import type { Signal } from '../proofs/use-signals.ts'
import type { SignalDraft } from './signal-draft.ts'

interface SpecFieldsProps {
  readonly draft: SignalDraft
  /** Holds the signal that is changed. `undefined`: it is new. */
  readonly signal: Signal | undefined
  readonly problem: ApiProblem | null
  readonly onChange: (change: Partial<SignalDraft>) => void
}

/** Lists the pointers of the errors that the fields show. */
export const specPointers = [
  '/spec/repository',
  '/spec/workflow',
  '/spec/deadlineMinutes',
  '/spec/url',
  '/spec/query',
  '/spec/above',
  '/spec/below',
  '/spec/timesBefore',
  '/spec/expect/pointer',
  '/spec/expect/above',
  '/spec/expect/below',
  '/spec/expect/equals',
  '/authorization',
  '/clientSecret',
]

/** Renders the fields that a kind of signal needs. */
export function SpecFields(props: SpecFieldsProps) {
  const fields = {
    tests: TestsFields,
    alert: AlertFields,
    prometheus: PrometheusFields,
    http: PageFields,
  }
  const Fields = fields[props.draft.kind]
  return <Fields {...props} />
}

function TestsFields({ draft, problem, onChange }: SpecFieldsProps) {
  return (
    <>
      <TextField
        label="Repository"
        required
        placeholder="acme/shop"
        help="One of those that Signalbox sees under Integrations."
        value={draft.repository}
        error={problem?.errorOf('/spec/repository')}
        onChange={({ target }) => onChange({ repository: target.value })}
      />
      <TextField
        label="Workflow"
        required
        placeholder="e2e.yml"
        help="Its file name or id. It runs against what is live in the environment of the change."
        value={draft.workflow}
        error={problem?.errorOf('/spec/workflow')}
        onChange={({ target }) => onChange({ workflow: target.value })}
      />
      <TextField
        type="number"
        label="Deadline in minutes"
        required
        min={1}
        max={360}
        help="A run that takes longer counts as no data."
        value={draft.deadlineMinutes}
        error={problem?.errorOf('/spec/deadlineMinutes')}
        onChange={({ target }) => onChange({ deadlineMinutes: target.value })}
      />
    </>
  )
}

function AlertFields({ draft, signal, problem, onChange }: SpecFieldsProps) {
  const isStored = signal?.hasCredential === true
  return (
    <>
      <SelectField
        label="Who sends the alerts"
        help="You get the address, and how to enter it there, once the signal is created."
        value={draft.isSentry ? 'sentry' : 'any'}
        onChange={({ target }) => onChange({ isSentry: target.value === 'sentry' })}
      >
        <option value="any">Alertmanager, Grafana or a script</option>
        <option value="sentry">Sentry</option>
      </SelectField>
      {draft.isSentry && (
        <TextField
          label="Client secret"
          {...secretInput}
          help={
            isStored
              ? 'One is stored and never shown. Leave this empty to keep it.'
              : 'Of the internal integration in Sentry, which signs its alerts with it. It can be added later.'
          }
          value={draft.clientSecret}
          error={problem?.errorOf('/clientSecret')}
          onChange={({ target }) => onChange({ clientSecret: target.value })}
        />
      )}
    </>
  )
}

function PrometheusFields(props: SpecFieldsProps) {
  const { draft, problem, onChange } = props
  return (
    <>
      <AddressField {...props} placeholder="https://prometheus.example.com" />
      <TextArea
        label="Query"
        isCode
        required
        rows={3}
        spellCheck={false}
        placeholder={'sum(rate(http_errors_total{env="{environment}"}[1m]))'}
        help="{environment}, {schema}, {version} and {flag} name the change, as values of labels."
        value={draft.query}
        error={problem?.errorOf('/spec/query')}
        onChange={({ target }) => onChange({ query: target.value })}
      />
      <LimitFields {...props} pointer="/spec" />
      <TextField
        type="number"
        step="any"
        label="Or above so many times the value before (optional)"
        placeholder="1.5"
        help="Compared with the same query at the moment before the change."
        value={draft.timesBefore}
        error={problem?.errorOf('/spec/timesBefore')}
        onChange={({ target }) => onChange({ timesBefore: target.value })}
      />
      <AuthorizationField {...props} />
    </>
  )
}

function PageFields(props: SpecFieldsProps) {
  const { draft, problem, onChange } = props
  return (
    <>
      <AddressField {...props} placeholder="https://shop.example.com/health" />
      <SelectField
        label="Good when it answers with"
        value={draft.expects}
        onChange={({ target }) => onChange({ expects: target.value === 'value' ? 'value' : '2xx' })}
      >
        <option value="2xx">a status of success (2xx)</option>
        <option value="value">a certain value in JSON</option>
      </SelectField>
      {draft.expects === 'value' && (
        <>
          <TextField
            label="Where the value stands"
            placeholder="/errors/rate"
            help="A JSON pointer: the names on the way to it, each after a slash."
            spellCheck={false}
            value={draft.pointer}
            error={problem?.errorOf('/spec/expect/pointer')}
            onChange={({ target }) => onChange({ pointer: target.value })}
          />
          <LimitFields {...props} pointer="/spec/expect" />
        </>
      )}
      <AuthorizationField {...props} />
    </>
  )
}

interface LimitFieldsProps extends SpecFieldsProps {
  /** Points to the object that holds the limit. */
  readonly pointer: string
}

function LimitFields({ draft, problem, pointer, onChange }: LimitFieldsProps) {
  const { kind, compares, limit, timesBefore } = draft
  const isNumber = compares !== 'equals' || kind !== 'http'
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <SelectField
        label="Bad when it is"
        value={compares}
        onChange={({ target: { value } }) =>
          onChange({ compares: value === 'below' || value === 'equals' ? value : 'above' })
        }
      >
        <option value="above">above</option>
        <option value="below">below</option>
        {kind === 'http' && <option value="equals">anything but</option>}
      </SelectField>
      <TextField
        label={isNumber ? 'Limit' : 'Value'}
        {...(isNumber ? { type: 'number', step: 'any', placeholder: '2' } : { placeholder: 'ok' })}
        required={kind === 'http' || timesBefore === ''}
        value={limit}
        error={problem?.errorOf(`${pointer}/${compares}`)}
        onChange={({ target }) => onChange({ limit: target.value })}
      />
    </div>
  )
}

interface AddressFieldProps extends SpecFieldsProps {
  readonly placeholder: string
}

function AddressField({ draft, problem, placeholder, onChange }: AddressFieldProps) {
  return (
    <TextField
      type="url"
      label="Address"
      required
      placeholder={placeholder}
      value={draft.url}
      error={problem?.errorOf('/spec/url')}
      onChange={({ target }) => onChange({ url: target.value })}
    />
  )
}

function AuthorizationField({ draft, signal, problem, onChange }: SpecFieldsProps) {
  const isStored = signal?.hasCredential === true
  return (
    <>
      <TextField
        label="Authorization header (optional)"
        {...secretInput}
        placeholder="Bearer …"
        help={
          isStored
            ? 'One is stored and never shown. Leave this empty to keep it. An address on another server needs it again.'
            : 'Only if the address needs one.'
        }
        value={draft.authorization}
        error={problem?.errorOf('/authorization')}
        onChange={({ target }) => onChange({ authorization: target.value })}
      />
      {isStored && (
        <Checkbox
          label="Remove the stored header"
          checked={draft.removesAuthorization}
          onChange={({ target }) => onChange({ removesAuthorization: target.checked })}
        />
      )}
    </>
  )
}
