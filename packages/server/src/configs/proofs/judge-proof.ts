import {
  readFailures,
  type ProofTerms,
  type ReadingOutcome,
  type SignalKind,
} from '@signalbox/contract'
import type { Reading } from '../signals/signal.ts'
import type { Ending } from './proof.ts'

/** Holds what is known of one signal of a proof. */
export interface SignalReport {
  readonly id: string
  readonly name: string
  readonly kind: SignalKind
  /** Lists its last readings, newest first. */
  readonly latest: readonly (Pick<Reading, 'detail'> & { readonly verdict: ReadingOutcome })[]
  /** Says that one of its readings was good. */
  readonly isHeard: boolean
  /** Says how the test run stands that the change has started. `undefined`: it is another kind of signal. */
  readonly tests?: {
    readonly outcome: 'passed' | 'failed' | 'none' | 'pending'
    readonly detail: string | null
  }
}

interface Judged {
  readonly terms: ProofTerms
  readonly until: Date
  readonly now: Date
  /** Says that something was deployed to the environment since the change. */
  readonly isDeployed: boolean
  readonly signals: readonly SignalReport[]
}

/** Judges a proof by what its signals said. `undefined`: it goes on. Missing data is never bad. */
export function judgeProof({ terms, until, now, isDeployed, signals }: Judged): Ending | undefined {
  if (isDeployed) {
    const detail =
      'Something was deployed to the environment meanwhile, so the signals may be about either.'
    return { state: 'inconclusive', reason: { code: 'deployment', signal: null, detail } }
  }
  const failed = signals.find((report) => report.tests?.outcome === 'failed')
  if (failed !== undefined) {
    const detail = failed.tests?.detail ?? `The tests ${failed.name} failed`
    return { state: 'failed', reason: { code: 'tests', signal: failed.id, detail } }
  }
  const bad = signals.find((report) => isBad(terms, report))
  if (bad !== undefined) {
    const detail = bad.latest.find(({ verdict }) => verdict === 'bad')?.detail
    const reason = {
      code: 'signal',
      signal: bad.id,
      detail: `${bad.name} ${detail ?? 'was bad'}`,
    } as const
    return { state: 'failed', reason }
  }
  if (now < until || signals.some((report) => report.tests?.outcome === 'pending')) return undefined
  return judgeEnd(terms, signals)
}

/** Looks at earlier readings too: the process may have ended before what failed was taken back. */
function isBad({ failures }: ProofTerms, { latest }: SignalReport): boolean {
  const { bad, of } = readFailures(failures)
  return latest.some((_, at) => {
    const readings = latest.slice(at, at + of)
    return readings.filter(({ verdict }) => verdict === 'bad').length >= bad
  })
}

function judgeEnd({ noData }: ProofTerms, signals: readonly SignalReport[]): Ending {
  const silent = signals.filter(({ isHeard, tests }) => !isHeard && tests?.outcome !== 'passed')
  const [first] = silent
  // Where nothing at all was good, there is nothing to be proven by.
  if (first === undefined || (noData === 'pass' && silent.length < signals.length))
    return { state: 'proven', reason: null }
  return {
    state: 'inconclusive',
    reason: {
      code: 'no_data',
      signal: first.id,
      detail: `No data from ${first.name}${why(first)}`,
    },
  }
}

/** Returns why a signal had no data. That of a test run is a sentence, that of a reading goes on with one. */
function why({ tests, latest }: SignalReport): string {
  if (tests?.detail) return `: ${tests.detail}`
  const [last] = latest
  return last?.detail ? `, which ${last.detail}` : ''
}
