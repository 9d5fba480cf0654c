import type { TestRunState } from '@signalbox/contract/rest'
import { displayNameOfKind } from '../../providers/find-provider.ts'
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

/** Lists what is known of each reason. `host`: what the code host is called. */
const listReasons = (
  host: string,
  codehost: string | null | undefined,
): Readonly<Record<string, Reason>> => ({
  ...listConnectionReasons(host),
  newer_deployment: { detail: 'A newer deployment replaced this one before its tests started.' },
  deployment_failed: { detail: 'The deployment failed before its tests started.' },
  recorded_by_pipeline: { detail: 'A pipeline reports this run.' },
  report_missing: {
    detail: 'Part of the test results is missing or could not be read.',
    nextStep: 'Upload it again under the same name, or run the tests again.',
  },
  not_started: {
    detail: toSentence(`${host} never reported the start of the run.`),
    nextStep: `Check the workflow and the runners on ${host}, then run it again.`,
  },
  dispatch_ambiguous: {
    detail: toSentence(
      `${host} gave no clear answer, and Signalbox found no run. It starts a run again only if the workflow shows its id.`,
    ),
    nextStep: `Check on ${host} whether it is running. If it isn’t, run it.`,
  },
  started_again: {
    detail: toSentence(
      `${host} gave no answer, and no run of the workflow appeared. Signalbox asked for it a second time.`,
    ),
  },
  not_found: {
    detail: 'The workflow doesn’t exist, or Signalbox may not see it.',
    nextStep: 'Choose another workflow, then run it.',
    mend: 'choose',
  },
  ref_not_found: {
    detail: 'The branch or tag no longer exists. A workflow can’t run on a commit.',
    nextStep: 'Run it on an existing branch or tag.',
  },
  no_dispatch_trigger: {
    detail: 'The workflow has no manual trigger on this branch.',
    nextStep: `${toSentence(renderStartableAdvice(codehost))} there, or choose another workflow.`,
    mend: 'choose',
  },
  workflow_disabled: {
    detail: `The workflow is disabled on ${host}.`,
    nextStep: 'Enable it there, or choose another workflow.',
    mend: 'choose',
  },
  input_required: {
    detail: 'A required input of the workflow is missing.',
    nextStep: 'Run it with that input, or give the input a default in the workflow.',
  },
})

const listConnectionReasons = (host: string): Readonly<Record<string, Reason>> => ({
  suspended: {
    detail: `The integration with ${host} is suspended.`,
    nextStep: `Unsuspend it on ${host}, then run it again.`,
    mend: 'connect',
  },
  forbidden: {
    detail: toSentence(`${host} doesn’t allow Signalbox to start it.`),
    nextStep: 'Grant the permission to start workflows, then run it again.',
    mend: 'connect',
  },
  renewal_refused: {
    detail: toSentence(`${host} refuses to renew Signalbox’s access.`),
    nextStep: 'Run it again in a few minutes, or connect it again first.',
    mend: 'connect',
  },
  integration_not_connected: {
    detail: toSentence(`${host} is not connected.`),
    nextStep: 'Connect it, then run it again.',
    mend: 'connect',
  },
  reauth_required: {
    detail: toSentence(`${host} revoked access, or the access has expired.`),
    nextStep: 'Connect it again, then run it again.',
    mend: 'connect',
  },
})

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Explains a code of the code host, of its connection or of the network. Example: `http_502`. */
const other = (host: string, code: string): Reason => ({
  detail: toSentence(`${host} did not start it. The code is ${code}.`),
  nextStep: 'Run it again later.',
})

/** Explains the end of a run that has no reason of its own. */
const listEndings = (host: string): Readonly<Partial<Record<TestRunState, string>>> => ({
  failed: 'Fix the failed tests, then run it again.',
  timed_out: `Check on ${host} whether it is still running, then run it again.`,
  errored: 'Run it again.',
  cancelled: 'Run it again.',
})

/** Lists the states that need no person: the run continues by itself, or ended well. */
const goesOn: ReadonlySet<TestRunState> = new Set(['dispatching', 'queued', 'running', 'passed'])

/** Explains the state of a test run, and the next step of a person. */
export function explainRun({
  state,
  stateReason,
  codehost,
}: {
  readonly state: TestRunState
  /** A code of ours or of the code host's. */
  readonly stateReason: string | null
  /** Names the code host that the organization has connected. */
  readonly codehost?: string | null
}): RunExplanation {
  const host = displayNameOfKind('codehost', codehost)
  if (stateReason === null) {
    return { detail: null, nextStep: listEndings(host)[state] ?? null, mend: null }
  }
  const known = listReasons(host, codehost)[stateReason]
  const { detail, nextStep = null, mend = null } = known ?? other(host, stateReason)
  return goesOn.has(state) ? { detail, nextStep: null, mend: null } : { detail, nextStep, mend }
}
