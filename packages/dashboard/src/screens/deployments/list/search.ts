import { deploymentStates, type DeploymentState } from '@signalbox/contract'
import { isDay, isText } from '../../address-values.ts'

/** Describes the address of the screen: the filter, and the dialogs that are open. */
export interface DeploymentsSearch {
  readonly environment?: string | undefined
  /** Holds the full name of a repository. */
  readonly repository?: string | undefined
  readonly branch?: string | undefined
  readonly state?: DeploymentState | undefined
  /** Narrows to those that the delivery figures count; the days are about the moment when they went live or failed. */
  readonly outcome?: 'live' | 'failed' | undefined
  readonly issue?: string | undefined
  /** Holds the first and last day in the reader's time zone, both included. Example: `2026-11-07`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly inactive?: true | undefined
  /** Holds the id of the sync to follow. */
  readonly sync?: string | undefined
  /** Says whether the dialog that runs a workflow is open. */
  readonly run?: true | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readDeploymentsSearch(search: Record<string, unknown>): DeploymentsSearch {
  const { environment, repository, branch, state, outcome, issue, from, to, inactive, sync, run } =
    search
  const known = deploymentStates.find((one) => one === state)
  return {
    ...(isText(environment) && { environment }),
    ...(isText(repository) && { repository }),
    ...(isText(branch) && { branch }),
    ...(known !== undefined && { state: known }),
    ...readOutcome(outcome),
    ...(isText(issue) && { issue }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(inactive === true && { inactive }),
    ...(isText(sync) && { sync }),
    ...(run === true && { run }),
  }
}

function readOutcome(outcome: unknown): Pick<DeploymentsSearch, 'outcome'> {
  return outcome === 'live' || outcome === 'failed' ? { outcome } : {}
}
