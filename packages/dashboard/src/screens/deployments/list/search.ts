import { deploymentStates } from '@signalbox/contract'
import { date, oneOf, readSearch, text, yes } from '../../address-values.ts'

/** Reads the address of the screen: the filter, and the dialogs that are open. */
export const readDeploymentsSearch = readSearch({
  /** Selects the checks of commits instead of the deployments. */
  view: oneOf('checks'),
  environment: text,
  /** Holds the full name of a repository. */
  repository: text,
  branch: text,
  state: oneOf(...deploymentStates),
  /** Narrows to those that the delivery figures count; the days are about the moment when they went live or failed. */
  outcome: oneOf('live', 'failed'),
  issue: text,
  /** Hold the first and last day in the reader's time zone, both included. Example: `2026-11-07`. */
  from: date,
  to: date,
  inactive: yes,
  /** Holds the id of the sync to follow. */
  sync: text,
  /** Says whether the dialog that runs a workflow is open. */
  run: yes,
})

/** Describes the address of the screen. */
export type DeploymentsSearch = ReturnType<typeof readDeploymentsSearch>
