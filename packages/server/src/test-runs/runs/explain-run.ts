import type { TestRunState } from '@signalbox/contract/rest'
import { renderStartableAdvice } from '../workflows/startable-advice.ts'

/** Describes why a test run is in its state, and what a person can do about it. */
export interface RunExplanation {
  readonly detail: string | null
  /** One sentence; `null`: there is nothing to do, or nothing yet. */
  readonly nextStep: string | null
  readonly mend: RunMend | null
}

/** Names what has to be mended before it is worth running it again: the connection, or which workflow it is. */
export type RunMend = 'connect' | 'choose'

interface Reason {
  readonly detail: string
  /** Left out: nothing is wrong, and there is nothing to do. */
  readonly nextStep?: string
  readonly mend?: RunMend
}

const reasons: Readonly<Record<string, Reason>> = {
  newer_deployment: { detail: 'A newer deployment took its place before it was tested.' },
  recorded_by_pipeline: { detail: 'A pipeline reports the same run.' },
  not_started: {
    detail: 'The code host never said that the run began.',
    nextStep: 'Look at the workflow and the runners there, and run it again.',
  },
  dispatch_ambiguous: {
    detail: 'The code host gave no clear answer, and no run was found. It is not started twice.',
    nextStep: 'Look there whether it runs, and run it if it does not.',
  },
  suspended: {
    detail: 'The integration with the code host is suspended.',
    nextStep: 'End the suspension at the code host, and run it again.',
    mend: 'connect',
  },
  not_found: {
    detail: 'The workflow is not there, or may not be seen.',
    nextStep: 'Choose a workflow that is there, and run it.',
    mend: 'choose',
  },
  ref_not_found: {
    detail: 'There is no such branch or tag any more. A commit is neither.',
    nextStep: 'Run it on a branch or tag that is there.',
  },
  no_dispatch_trigger: {
    detail: 'The workflow cannot be started by hand on this branch.',
    nextStep: `${toSentence(renderStartableAdvice())} there, or choose another workflow.`,
    mend: 'choose',
  },
  workflow_disabled: {
    detail: 'The workflow is disabled at the code host.',
    nextStep: 'Enable it there, or choose another workflow.',
    mend: 'choose',
  },
  input_required: {
    detail: 'The workflow requires an input that was not given.',
    nextStep: 'Run it with that input, or give the input a default in the workflow.',
  },
  forbidden: {
    detail: 'The code host does not allow it to be started.',
    nextStep: 'Let the application start workflows there, and run it again.',
    mend: 'connect',
  },
  integration_not_connected: {
    detail: 'The code host is not connected.',
    nextStep: 'Connect it, and run it again.',
    mend: 'connect',
  },
  reauth_required: {
    detail: 'The access to the code host has ended.',
    nextStep: 'Connect it again, and run it again.',
    mend: 'connect',
  },
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Explains a code of the code host, of its connection or of the network. Example: `http_502`. */
const other = (code: string): Reason => ({
  detail: `The code host did not start it (${code}).`,
  nextStep: 'Run it again in a while.',
})

/** How a run ended that has no reason of its own. */
const endings: Readonly<Partial<Record<TestRunState, string>>> = {
  failed: 'Look at what failed, and run it again once it is fixed.',
  timed_out: 'Look whether it still runs there, and run it again.',
  errored: 'Run it again.',
  cancelled: 'Run it again.',
}

/** Lists the states that need no person: the run continues by itself, or ended well. */
const goesOn: ReadonlySet<TestRunState> = new Set(['dispatching', 'queued', 'running', 'passed'])

/** Explains the state of a test run, and the next step of a person. */
export function explainRun({
  state,
  stateReason,
}: {
  readonly state: TestRunState
  /** A code of ours or of the code host's. */
  readonly stateReason: string | null
}): RunExplanation {
  if (stateReason === null) return { detail: null, nextStep: endings[state] ?? null, mend: null }
  const { detail, nextStep = null, mend = null } = reasons[stateReason] ?? other(stateReason)
  return goesOn.has(state) ? { detail, nextStep: null, mend: null } : { detail, nextStep, mend }
}
