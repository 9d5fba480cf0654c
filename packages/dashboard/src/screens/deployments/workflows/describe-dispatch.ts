import type { TestRunState, WorkflowDispatchState } from '@signalbox/contract/rest'
import { Check, CircleHelp, LoaderCircle, X } from 'lucide-react'
import { testRunVariants, type StateVariant } from '../states.ts'

/** Maps each state of a dispatch to its word, color and icon. */
export const dispatchVariants: Readonly<Record<WorkflowDispatchState, StateVariant>> = {
  requested: { word: 'Starting', tone: 'info', icon: LoaderCircle },
  sent: { word: 'Started', tone: 'ok', icon: Check },
  ambiguous: { word: 'Looking for the run', tone: 'warn', icon: CircleHelp },
  found: { word: 'Started', tone: 'ok', icon: Check },
  refused: { word: 'Refused', tone: 'bad', icon: X },
}

/** Describes a dispatch as far as it is known. */
export interface DispatchOutcome {
  readonly state: WorkflowDispatchState
  /** Holds the provider's code, or ours where the run was never found. */
  readonly reason: string | null
  /** Holds the state of its run. `null`: not reported yet. */
  readonly runState: Exclude<
    TestRunState,
    'planned' | 'dispatching' | 'unknown' | 'timed_out'
  > | null
}

/** Returns the badge of a dispatch: how its run stands, or whether it was started. */
export function toDispatchVariant({
  state,
  runState,
}: Omit<DispatchOutcome, 'reason'>): StateVariant {
  return runState === null ? dispatchVariants[state] : testRunVariants[runState]
}

/** Maps the server's code for a failed dispatch to its explanation. */
const causes: ReadonlyMap<string, string> = new Map([
  ['ref_not_found', 'The branch or tag doesn’t exist. A workflow can’t run on a commit.'],
  ['no_dispatch_trigger', 'The workflow has no manual trigger on this branch.'],
  ['workflow_disabled', 'The workflow is disabled.'],
  ['input_required', 'The workflow requires an input that is empty.'],
  ['not_found', 'The workflow doesn’t exist, or Signalbox can’t see it.'],
  ['forbidden', 'Signalbox isn’t allowed to start workflows.'],
])

const runTexts: Readonly<Record<NonNullable<DispatchOutcome['runState']>, string>> = {
  queued: 'The run is queued.',
  running: 'The run is in progress.',
  passed: 'The run finished successfully.',
  failed: 'The run failed. Open it to see why.',
  errored: 'The run ended with an error. Open it to see why.',
  cancelled: 'The run was cancelled.',
  skipped: 'The run was skipped.',
}

/** Returns the state of a dispatch in a sentence. `host` is the name of the code host. */
export function describeDispatch(
  { state, reason, runState }: DispatchOutcome,
  host: string,
): string {
  if (runState !== null) return runTexts[runState]
  switch (state) {
    case 'requested':
      return `Asking ${host} to start it.`
    case 'sent':
    case 'found':
      return `${host} started the run.`
    case 'ambiguous':
      return reason === 'run_not_found'
        ? `${host} gave no clear answer, and Signalbox found no run. Check ${host} before you start it again.`
        : `${host} gave no clear answer. Signalbox is looking for the run, and doesn’t start it twice.`
    case 'refused':
      return reason === null
        ? `${host} refused to start it.`
        : (causes.get(reason) ?? `${host} refused to start it. The code is ${reason}.`)
  }
}
