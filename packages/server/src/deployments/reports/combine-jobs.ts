import { reportedStates, type ReportedState } from '../../providers/codehosts/deployment.ts'

/** Lists how a job ends, the worst first. */
const ends = ['failure', 'error', 'success'] as const

/** Describes how a job of a deployment stands. */
export interface JobState {
  /** `null`: nothing was reported yet. */
  readonly state: string | null
  /** Holds the newest state that is not `inactive`. */
  readonly lastWord: string | null
}

/**
 * Returns the state of a deployment from those of its jobs: it is in progress while one of them is, and has failed if
 * one has. A host may make a job `inactive` when another job of the same run succeeds, so `inactive` counts only if all
 * of them are.
 */
export function combineJobs(jobs: readonly JobState[]): ReportedState {
  if (jobs.every(({ state }) => state === 'inactive')) return 'inactive'
  const words = jobs.flatMap(({ state, lastWord }) =>
    state === null ? ['pending'] : (lastWord ?? []),
  )
  const [only] = words
  if (only !== undefined && words.length === 1) return toReportedState(only)
  const hasEnded = (word: string) => ends.some((end) => end === word)
  if (words.every(hasEnded)) return ends.find((end) => words.includes(end)) ?? 'unknown'
  const standing = (['in_progress', 'waiting'] as const).find((state) => words.includes(state))
  if (standing !== undefined) return standing
  if (words.some(hasEnded)) return 'in_progress'
  return words.includes('queued') ? 'queued' : 'pending'
}

/** Returns a stored state; `unknown` for one that another release has stored. */
export function toReportedState(text: string): ReportedState {
  return reportedStates.find((state) => state === text) ?? 'unknown'
}
