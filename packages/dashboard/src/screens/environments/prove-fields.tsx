import { readFailures, type ProofTerms } from '@signalbox/contract'
import type { ApiProblem } from '../../api/problem.ts'
import { Checkbox, SelectField } from '../../components/field.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { useOrganization } from '../../session/organization.ts'
import { PageLink } from '../../session/page-link.tsx'
import { describeFailure, describeNoData, describeWatch } from '../proofs/describe-terms.ts'
import { useSignals } from '../proofs/use-signals.ts'
import { startTerms, TermsFields } from '../proofs/watch-fields.tsx'

interface ProveFieldsProps {
  readonly prove: ProofTerms | null
  readonly mayProtect: boolean
  readonly problem: ApiProblem | null
  readonly onProve: (prove: ProofTerms | null) => void
}

/** Shows how every change of the environment is watched once it is live. Without a signal it leads to the first one. */
export function ProveFields({ prove, mayProtect, problem, onProve }: ProveFieldsProps) {
  const { can } = useOrganization()
  const { signals } = useSignals()
  if (signals === undefined) return null
  const isPossible = signals.length > 0 || prove !== null
  return (
    <fieldset disabled={!mayProtect} className="flex min-w-0 flex-col gap-2 disabled:opacity-60">
      <legend className="mb-1 font-medium">Once a change is live</legend>
      {isPossible ? (
        <Checkbox
          label="Watch every change"
          help="Until its signals have stayed good, a change is unproven."
          checked={prove !== null}
          onChange={({ target }) => onProve(target.checked ? startTerms(signals) : null)}
        />
      ) : (
        <p className="text-sm text-muted">
          Signalbox can watch every change, and take it back when a signal turns bad.{' '}
          {can('admin') ? (
            <PageLink to={{ page: 'signals', search: { signal: 'new' } }}>
              Create the first signal
            </PageLink>
          ) : (
            'An admin creates the first signal.'
          )}
        </p>
      )}
      {prove !== null && <PolicyFields {...{ prove, problem, onProve }} />}
    </fieldset>
  )
}

interface PolicyFieldsProps extends Pick<ProveFieldsProps, 'problem'> {
  readonly prove: ProofTerms
  readonly onProve: (prove: ProofTerms) => void
}

function PolicyFields({ prove, problem, onProve }: PolicyFieldsProps) {
  const { nameOf } = useSignals()
  const errorOf = (member: string) => problem?.errorOf(`/protection/prove/${member}`)
  return (
    <div className="mt-2 flex flex-col gap-4">
      <TermsFields terms={prove} errorOf={errorOf} onTerms={onProve} />
      <FailuresField
        failures={prove.failures}
        error={errorOf('failures')}
        onFailures={(failures) => onProve({ ...prove, failures })}
      />
      <RadioGroup
        legend="If a signal has no data"
        name="noData"
        value={prove.noData}
        options={noDataOptions}
        onChange={(noData) => onProve({ ...prove, noData })}
      />
      <RadioGroup
        legend="If it fails"
        name="onFailure"
        value={prove.onFailure}
        options={failureOptions}
        onChange={(onFailure) => onProve({ ...prove, onFailure })}
      />
      {prove.signals.length > 0 && (
        <p className="text-sm wrap-anywhere text-muted">
          {describeWatch(prove, nameOf)} {describeFailure(prove)} {describeNoData(prove)}
        </p>
      )}
    </div>
  )
}

const noDataOptions = [
  {
    value: 'hold',
    label: 'The change is not proven',
    help: 'It stays live, and you are told. Missing data never takes a change back.',
  },
  { value: 'pass', label: 'The signal is left out' },
] as const

const failureOptions = [
  {
    value: 'restore',
    label: 'Take the change back',
    help: 'The values from before are saved as a new version. What somebody has changed since stays.',
  },
  { value: 'tell', label: 'Only tell' },
] as const

interface FailuresFieldProps {
  readonly failures: string
  readonly error: string | undefined
  readonly onFailures: (failures: string) => void
}

const counts = Array.from({ length: 20 }, (_, at) => at + 1)

/** Renders how many bad readings make a proof fail. Example: `3 of 5`. */
function FailuresField({ failures, error, onFailures }: FailuresFieldProps) {
  const { bad, of } = readFailures(failures)
  return (
    <div className="grid grid-cols-2 gap-4">
      <SelectField
        label="Bad readings"
        help="So many of one signal make it fail."
        error={error}
        value={bad}
        onChange={({ target }) => onFailures(`${target.value} of ${of}`)}
      >
        {counts.slice(0, of).map((count) => (
          <option key={count}>{count}</option>
        ))}
      </SelectField>
      <SelectField
        label="Of the last"
        help="A signal is read every 15 seconds."
        value={of}
        onChange={({ target }) =>
          onFailures(`${Math.min(bad, Number(target.value))} of ${target.value}`)
        }
      >
        {counts.map((count) => (
          <option key={count}>{count}</option>
        ))}
      </SelectField>
    </div>
  )
}
