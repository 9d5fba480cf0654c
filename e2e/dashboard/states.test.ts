import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'
import { listScreensOfWork, screensOfConfiguration } from './screens.ts'

describe('a screen of deployments or configuration', () => {
  describeStates((deploymentId) => [...listScreensOfWork(deploymentId), ...screensOfConfiguration])
})
