import type { Step } from '../scheduler.ts'
import type { Push } from './push.ts'
import { scenarios } from './scenarios.ts'

/** Returns the steps of a pipeline after a push, with realistic delays: the run, the deployment, and its states. */
export function createDeploySteps({ deployment, scenario }: Push): Step[] {
  const { ends } = scenarios[scenario]
  return [
    { afterMs: 400, run: () => deployment.requestRun() },
    { afterMs: 600, run: () => deployment.startRun() },
    { afterMs: 500, run: () => deployment.create() },
    { afterMs: 100, run: () => deployment.setState('pending', 'Waiting for a runner') },
    { afterMs: 900, run: () => deployment.setState('in_progress', 'Rolling out') },
    {
      afterMs: 2_500,
      run: () =>
        deployment.setState(ends, ends === 'success' ? 'Live' : 'The new version never responded'),
    },
    { afterMs: 300, run: () => deployment.finishRun(ends) },
  ]
}
