import type { DeploymentState } from '@signalbox/contract/rest'

/** Every state, in the order in which a deployment goes through them. */
export const deploymentStates = [
  'waiting',
  'queued',
  'pending',
  'in_progress',
  'success',
  'failure',
  'error',
  'superseded',
  'rolled_back',
] as const satisfies readonly DeploymentState[]
