import { defaultProof, type ProofTerms } from '@signalbox/contract'
import { CliError } from '../../terminal/cli-error.ts'

/** Holds the flags that say how a change is watched, beside others. */
export interface ProveFlags {
  /** Holds milliseconds. Infinity: the flag stands without a duration. */
  readonly prove?: number | undefined
  readonly signal?: readonly string[] | undefined
  readonly failures?: string | undefined
  readonly noData?: ProofTerms['noData'] | undefined
  readonly onFailure?: ProofTerms['onFailure'] | undefined
}

/** Returns whether one of the flags is there: each of them asks for a proof. */
export function asksForProof({ prove, signal, failures, noData, onFailure }: ProveFlags): boolean {
  return [prove, signal, failures, noData, onFailure].some((flag) => flag !== undefined)
}

/**
 * Returns how a change is watched, with what `before` or the defaults say where a flag is left out.
 *
 * @throws {CliError} `signal_required`, what `findSignal` throws
 */
export async function toProofTerms(
  { prove, signal, failures, noData, onFailure }: ProveFlags,
  findSignal: (reference: string) => Promise<string>,
  before: ProofTerms | null = null,
): Promise<ProofTerms> {
  const base = { ...defaultProof, signals: [], ...before }
  const signals = signal === undefined ? base.signals : await Promise.all(signal.map(findSignal))
  if (signals.length === 0) {
    throw new CliError('usage', 'signal_required', 'Name the signals that judge the change.', {
      advice: 'Add --signal <name>. They are listed by: signalbox signals',
    })
  }
  const isTimed = prove !== undefined && Number.isFinite(prove)
  return {
    signals,
    minutes: isTimed ? Math.ceil(prove / 60_000) : base.minutes,
    failures: failures ?? base.failures,
    noData: noData ?? base.noData,
    onFailure: onFailure ?? base.onFailure,
  }
}
