import { defaultProof, limits, type ProofTerms } from '@signalbox/contract'
import { Checkbox, TextField } from '../../components/field.tsx'
import { describeFailure, describeWatch, describeWatches } from './describe-terms.ts'
import { useSignals } from './use-signals.ts'

interface TermsFieldsProps {
  readonly terms: ProofTerms
  /** Returns the error at a member. Example: `signals`. */
  readonly errorOf?: (member: 'signals' | 'minutes') => string | undefined
  readonly onTerms: (terms: ProofTerms) => void
}

/** Renders which signals watch a change, and for how long. Signals that are gone can be taken out. */
export function TermsFields({ terms, errorOf, onTerms }: TermsFieldsProps) {
  const { signals = [], nameOf } = useSignals()
  const gone = terms.signals.filter((id) => signals.every((signal) => signal.id !== id))
  const ids = [...signals.map(({ id }) => id), ...gone]
  const error = errorOf?.('signals')
  return (
    <>
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium">Signals</legend>
        <div className="flex max-h-48 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
          {ids.map((id) => (
            <Checkbox
              key={id}
              label={nameOf(id)}
              checked={terms.signals.includes(id)}
              onChange={({ target }) => {
                const others = terms.signals.filter((one) => one !== id)
                onTerms({ ...terms, signals: target.checked ? [...others, id] : others })
              }}
            />
          ))}
        </div>
        {error !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {error}
          </p>
        )}
      </fieldset>
      <TextField
        type="number"
        label="Minutes"
        help="How long a change stays unproven."
        required
        min={1}
        max={1440}
        // An empty field is no number: it stays empty, and the browser asks for one.
        value={terms.minutes || ''}
        error={errorOf?.('minutes')}
        onChange={({ target }) => onTerms({ ...terms, minutes: Number(target.value) })}
      />
    </>
  )
}

/** Returns whether terms name as many signals as they need, and may. */
export function hasSignals(terms: ProofTerms | null | undefined): boolean {
  if (terms === null || terms === undefined) return true
  return terms.signals.length > 0 && terms.signals.length <= limits.signalsPerProof
}

/** Returns the terms that a form begins with. The only signal there is needs no choice. */
export function startTerms(signals: readonly { readonly id: string }[]): ProofTerms {
  return { ...defaultProof, signals: signals.length === 1 ? signals.map(({ id }) => id) : [] }
}

interface WatchFieldsProps {
  /** Lists the environments that the change changes. */
  readonly environments: readonly {
    readonly name: string
    readonly protection: { readonly prove: ProofTerms | null }
  }[]
  /** Says whether the write may ask for a watch of its own. */
  readonly mayWatch: boolean
  readonly prove: ProofTerms | undefined
  readonly onProve: (prove: ProofTerms | undefined) => void
}

/**
 * Offers to watch one change once it is live. Where the policies of all its environments ask for that anyway, it says so and
 * asks nothing. Without a signal nothing is shown.
 */
export function WatchFields({ environments, mayWatch, prove, onProve }: WatchFieldsProps) {
  const { signals = [], nameOf } = useSignals()
  if (signals.length === 0 || environments.length === 0) return null
  const policies = describeWatches(environments, null, nameOf)
  const isLocked = !mayWatch || environments.every(({ protection }) => protection.prove !== null)
  if (isLocked && policies.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Watch this change"
        help={policies.length === 0 ? undefined : policies.join(' ')}
        disabled={isLocked}
        checked={isLocked || prove !== undefined}
        onChange={({ target }) => onProve(target.checked ? startTerms(signals) : undefined)}
      />
      {!isLocked && prove !== undefined && (
        <div className="ml-6 flex flex-col gap-3">
          <TermsFields terms={prove} onTerms={onProve} />
          {prove.signals.length > 0 && (
            <p className="text-sm wrap-anywhere text-muted">
              {describeWatch(prove, nameOf)} {describeFailure(prove)}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
