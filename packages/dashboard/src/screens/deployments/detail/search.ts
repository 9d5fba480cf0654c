/** Describes the dialogs that are open above a deployment. */
export interface DeploymentSearch {
  /** Holds the id of the sync to follow. */
  readonly sync?: string | undefined
  /** Holds the initial branch or tag of the dialog that runs tests. Present while the dialog is open. */
  readonly run?: string | undefined
  /** Says whether the dialog that deploys again is open. */
  readonly deploy?: true | undefined
  /** Holds the id of the start to follow. */
  readonly dispatch?: string | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readDeploymentSearch({
  sync,
  run,
  deploy,
  dispatch,
}: Record<string, unknown>): DeploymentSearch {
  return {
    ...(typeof sync === 'string' && sync !== '' && { sync }),
    ...(typeof run === 'string' && run !== '' && { run }),
    ...(deploy === true && { deploy }),
    ...(typeof dispatch === 'string' && dispatch !== '' && { dispatch }),
  }
}
