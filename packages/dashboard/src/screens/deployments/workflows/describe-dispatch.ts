import type { WorkflowDispatchState } from '@signalbox/contract/rest'
import { Check, CircleHelp, LoaderCircle, X } from 'lucide-react'
import type { StateVariant } from '../states.ts'

/** Maps each state of a dispatch to its word, color and icon. */
export const dispatchVariants: Readonly<Record<WorkflowDispatchState, StateVariant>> = {
  requested: { word: 'Starting', tone: 'info', icon: LoaderCircle },
  sent: { word: 'Started', tone: 'ok', icon: Check },
  ambiguous: { word: 'Looking for the run', tone: 'warn', icon: CircleHelp },
  found: { word: 'Started', tone: 'ok', icon: Check },
  refused: { word: 'Refused', tone: 'bad', icon: X },
}

/** Maps the server's code for a failed dispatch to its explanation. */
const causes: ReadonlyMap<string, string> = new Map([
  ['ref_not_found', 'There is no such branch or tag. A commit is neither.'],
  ['no_dispatch_trigger', 'The workflow cannot be started by hand on this branch.'],
  ['workflow_disabled', 'The workflow is switched off at the code host.'],
  ['input_required', 'The workflow requires an input that was not given.'],
  ['not_found', 'The workflow is not there, or may not be seen.'],
  ['forbidden', 'The code host does not allow it to be started.'],
])

/** Returns the state of a dispatch in a sentence. `reason` is the provider's, or ours where the run was never found. */
export function describeDispatch(state: WorkflowDispatchState, reason: string | null): string {
  switch (state) {
    case 'requested':
      return 'The code host is being asked to start it.'
    case 'sent':
    case 'found':
      return 'The run has begun at the code host.'
    case 'ambiguous':
      return reason === 'run_not_found'
        ? 'The code host gave no clear answer, and no run of it was found. Look there before you start it again.'
        : 'The code host gave no clear answer. The run is being looked for, and is not started a second time.'
    case 'refused':
      return reason === null
        ? 'The code host refused to start it.'
        : (causes.get(reason) ?? `The code host refused to start it (${reason}).`)
  }
}
