/** Lists the states of a proof. `watching` is the only one that goes on. */
export const proofStates = ['watching', 'proven', 'failed', 'inconclusive', 'stopped'] as const
export type ProofState = (typeof proofStates)[number]

/** Lists the kinds of signals: sources of good or bad news about a change. */
export const signalKinds = ['tests', 'alert', 'prometheus', 'http'] as const
export type SignalKind = (typeof signalKinds)[number]

/** Lists what a reading of a signal can be. `none`: there was no data, which never counts as bad. */
export const readingOutcomes = ['good', 'bad', 'none'] as const
export type ReadingOutcome = (typeof readingOutcomes)[number]

/** Describes how a change is watched once it is live. */
export interface ProofTerms {
  readonly signals: string[]
  readonly minutes: number
  /** Counts the bad ones among the last readings of a signal, at which the proof fails. Example: `3 of 5`. */
  readonly failures: string
  readonly noData: 'hold' | 'pass'
  readonly onFailure: 'restore' | 'tell'
}

/** Matches the failures of a proof: `3 of 5`. */
export const failuresPattern = /^([1-9]|1\d|20) of ([1-9]|1\d|20)$/

/** Holds what a proof has where nothing else is said. */
export const defaultProof = {
  minutes: 15,
  failures: '3 of 5',
  noData: 'hold',
  onFailure: 'restore',
} as const

/** Returns how many of the last readings must be bad for a proof to fail. Example: `3 of 5` is `{ bad: 3, of: 5 }`. */
export function readFailures(failures: string): { readonly bad: number; readonly of: number } {
  const [bad = '3', of = '5'] = failuresPattern.exec(failures)?.slice(1) ?? []
  return { bad: Number(bad), of: Number(of) }
}

/** Returns whether a proof asks for less than before: fewer signals or minutes, more failures, or no restoring. */
export function isWeakerProof(before: ProofTerms | null, after: ProofTerms | null): boolean {
  if (before === null) return false
  if (after === null) return true
  const [was, is] = [readFailures(before.failures), readFailures(after.failures)]
  return (
    before.signals.some((id) => !after.signals.includes(id)) ||
    after.minutes < before.minutes ||
    is.bad > was.bad ||
    is.of < was.of ||
    (before.noData === 'hold' && after.noData === 'pass') ||
    (before.onFailure === 'restore' && after.onFailure === 'tell')
  )
}

/** Joins two proofs of one change: each member is that of the stricter one. */
export function joinProofs(one: ProofTerms | null, other: ProofTerms | null): ProofTerms | null {
  if (one === null || other === null) return one ?? other
  const [first, second] = [readFailures(one.failures), readFailures(other.failures)]
  return {
    signals: [...new Set([...one.signals, ...other.signals])],
    minutes: Math.max(one.minutes, other.minutes),
    failures: `${Math.min(first.bad, second.bad)} of ${Math.max(first.of, second.of)}`,
    noData: one.noData === 'hold' || other.noData === 'hold' ? 'hold' : 'pass',
    onFailure: one.onFailure === 'restore' || other.onFailure === 'restore' ? 'restore' : 'tell',
  }
}
