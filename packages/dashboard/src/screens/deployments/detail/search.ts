/** Describes what is open above a deployment. */
export interface DeploymentSearch {
  /** The sync whose progress is shown. */
  readonly sync?: string | undefined
  /** The branch or tag that the dialog that runs a workflow begins with; there while it is open. */
  readonly run?: string | undefined
}

/** Reads the address of the screen; what it does not know is left out. */
export function readDeploymentSearch({ sync, run }: Record<string, unknown>): DeploymentSearch {
  return {
    ...(typeof sync === 'string' && sync !== '' && { sync }),
    ...(typeof run === 'string' && run !== '' && { run }),
  }
}
