/** Describes the dialogs that are open above a deployment. */
export interface DeploymentSearch {
  /** Holds the id of the sync to follow. */
  readonly sync?: string | undefined
  /** Holds the initial branch or tag of the dialog that runs a workflow. Present while the dialog is open. */
  readonly run?: string | undefined
}

/** Reads the address of the screen. Unknown values are left out. */
export function readDeploymentSearch({ sync, run }: Record<string, unknown>): DeploymentSearch {
  return {
    ...(typeof sync === 'string' && sync !== '' && { sync }),
    ...(typeof run === 'string' && run !== '' && { run }),
  }
}
