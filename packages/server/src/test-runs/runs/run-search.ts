import type { RequestedRuns } from '../../providers/codehosts/run.ts'
import type { DispatchDeps, WorkflowRef } from '../test-run-deps.ts'

/** Milliseconds from a start without an answer to the first search for its run, and between searches. */
export const searchAfterMs = 10_000
/** Milliseconds after which a run that was not found counts as unknown. */
const searchForMs = 90_000
/** The code host's clock is another one. */
const skewMs = 2 * 60_000

/** Returns whether a run that was requested at `requestedAt` is still searched for at `now`. */
export function isSearchOpen(requestedAt: Date, now: Date): boolean {
  return now.getTime() - requestedAt.getTime() < searchForMs
}

/** Returns when, by the code host's clock, a run was started that was requested at `requestedAt`. */
export function searchWindow(requestedAt: Date): { readonly from: Date; readonly to: Date } {
  const at = requestedAt.getTime()
  return { from: new Date(at - skewMs), to: new Date(at + searchForMs + skewMs) }
}

/**
 * Lists the runs of a workflow that may be the one that was requested at `requestedAt`.
 *
 * @throws {ProviderError}
 */
export async function listCandidates(
  { runner }: Pick<DispatchDeps, 'runner'>,
  workflow: WorkflowRef,
  requestedAt: Date,
): Promise<RequestedRuns> {
  const listed = await runner.listRequestedRuns({ ...workflow, ...searchWindow(requestedAt) })
  return { ...listed, runs: listed.runs.filter(({ isRequested }) => isRequested) }
}
