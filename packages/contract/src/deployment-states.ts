/** Lists the states of a deployment that a code host reports, in their order. */
export const hostDeploymentStates = [
  'waiting',
  'queued',
  'pending',
  'in_progress',
  'success',
  'failure',
  'error',
] as const

/**
 * Lists every state of a deployment: those that a host reports, and those set when a later success replaced it or
 * rolled it back.
 */
export const deploymentStates = [...hostDeploymentStates, 'superseded', 'rolled_back'] as const
export type DeploymentState = (typeof deploymentStates)[number]
