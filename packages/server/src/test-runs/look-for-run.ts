import type { CodehostRun } from '../providers/codehost.ts'
import type { DispatchDeps, WorkflowPlace } from './test-run-deps.ts'

/** When a run is looked for whose dispatch gave no answer: first, and again until it is given up. */
export const lookAfterMs = 10_000
/** How long a run is looked for before nobody knows whether it exists. */
const giveUpAfterMs = 90_000
/** The code host's clock is another one. */
const skewMs = 2 * 60_000

/** Whether a run that was asked for at `dispatchedAt` is still looked for at `now`. */
export function isLookedFor(dispatchedAt: Date, now: Date): boolean {
  return now.getTime() - dispatchedAt.getTime() < giveUpAfterMs
}

/** When a run must have been started, by the code host's clock, to be the one that was asked for at `dispatchedAt`. */
export function startedWithin(dispatchedAt: Date): { readonly from: Date; readonly to: Date } {
  const at = dispatchedAt.getTime()
  return { from: new Date(at - skewMs), to: new Date(at + giveUpAfterMs + skewMs) }
}

/** The runs of a workflow that were started by hand when ours must have been. @throws {ProviderError} */
export async function listCandidates(
  { runner }: Pick<DispatchDeps, 'runner'>,
  place: WorkflowPlace,
  dispatchedAt: Date,
): Promise<readonly CodehostRun[]> {
  const runs = await runner.findRuns({ ...place, ...startedWithin(dispatchedAt) })
  return runs.filter(({ event }) => event === 'workflow_dispatch')
}
