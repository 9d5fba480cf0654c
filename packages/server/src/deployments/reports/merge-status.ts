import type { DeploymentState } from '@signalbox/contract'
import type { ReportedState } from '../../providers/codehosts/deployment.ts'

/** Describes the state of a deployment that the code host reported. */
export interface ReportedStatus {
  readonly state: ReportedState
  /** The provider's number of the status, in digits. It outgrows the integers of JavaScript. */
  readonly number: bigint
}

/** Describes the outcome of a report, or why it changed nothing. */
export type MergedStatus =
  | { readonly outcome: 'applied'; readonly status: ReportedStatus }
  | { readonly outcome: 'duplicate' | 'stale' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/**
 * Decides what a report means for a deployment in the state `current`. The host's numbers grow with time, so that only a report
 * with a higher number counts: in whatever order reports arrive, and however often, the result is the same.
 */
export function mergeStatus(
  current: ReportedStatus | undefined,
  report: ReportedStatus,
): MergedStatus {
  if (report.state === 'unknown') {
    return { outcome: 'ignored', reason: 'This version doesn’t know the reported state.' }
  }
  if (current === undefined || report.number > current.number) {
    return { outcome: 'applied', status: report }
  }
  return { outcome: report.number === current.number ? 'duplicate' : 'stale' }
}

const digits = /^\d{1,20}$/

/** Parses the number of a status; `undefined` for a text that is none. Example: `18446744073709551615`. */
export function parseStatusNumber(text: string): bigint | undefined {
  return digits.test(text) ? BigInt(text) : undefined
}

/** Returns the state that people see. `inactive` says that another deployment took over, without saying which. */
export function toDeploymentState(state: Exclude<ReportedState, 'unknown'>): DeploymentState {
  return state === 'inactive' ? 'superseded' : state
}
