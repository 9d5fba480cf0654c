import { joinProofs, readFailures, type ProofTerms } from '@signalbox/contract'
import { describeMinutes } from './describe-proof.ts'

/** Returns the name of a signal by its id. */
export type NameOf = (signalId: string) => string

const list = new Intl.ListFormat('en-GB')

/** Returns for how long something is watched, and by what. Example: `for 15 min by api-errors`. */
export function describeSpan({ minutes, signals }: ProofTerms, nameOf: NameOf): string {
  return `for ${describeMinutes(minutes)} by ${list.format(signals.map(nameOf))}`
}

/** Returns how a change is watched, and what happens if its signals turn bad. */
export function describeWatch(terms: ProofTerms, nameOf: NameOf): string {
  const then =
    terms.onFailure === 'restore' ? 'Signalbox takes the change back' : 'Signalbox only tells you'
  return `Watched ${describeSpan(terms, nameOf)}. If it fails, ${then}.`
}

/** Returns what makes a proof fail. */
export function describeFailure({ failures }: Pick<ProofTerms, 'failures'>): string {
  const { bad, of } = readFailures(failures)
  const readings =
    bad === 1
      ? 'one reading of a signal is bad'
      : `${bad} of the last ${of} readings of one signal are bad`
  return `It fails when ${readings}, or when a test run fails.`
}

/** Returns what a signal without data means in the end. */
export function describeNoData({ noData }: Pick<ProofTerms, 'noData'>): string {
  return noData === 'hold'
    ? 'Without a good reading of each signal it is not proven.'
    : 'A signal without a good reading is left out.'
}

/** Returns all terms in one line, so that two of them can be compared. `no`: nothing is watched. */
export function describeTerms(terms: ProofTerms | null, nameOf: NameOf): string {
  if (terms === null) return 'no'
  const { failures, noData, onFailure } = terms
  const then = onFailure === 'restore' ? 'takes the change back' : 'only tells'
  return `${describeSpan(terms, nameOf)}; ${failures} bad readings; missing data: ${noData}; then Signalbox ${then}`
}

interface WatchedEnvironment {
  readonly name: string
  readonly protection: { readonly prove: ProofTerms | null }
}

/**
 * Returns the sentences about how a change of these environments is watched: by their policies, and by its own terms. Several
 * environments with the same sentence share one.
 */
export function describeWatches(
  environments: readonly WatchedEnvironment[],
  own: ProofTerms | null,
  nameOf: NameOf,
): readonly string[] {
  const watched = environments.flatMap(({ name, protection }) => {
    const terms = joinProofs(protection.prove, own)
    return terms === null ? [] : [{ name, text: describeWatch(terms, nameOf) }]
  })
  const groups = [...Map.groupBy(watched, ({ text }) => text)]
  return groups.map(([text, of]) =>
    of.length === environments.length
      ? text
      : `In ${list.format(of.map(({ name }) => name))}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
  )
}
