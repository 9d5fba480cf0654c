import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'
import { listScreensOfWork, screensOfConfiguration } from './screens.ts'

describe('a screen of deployments or configuration', () => {
  describeStates(({ deployment }) => [...listScreensOfWork(deployment), ...screensOfConfiguration])
})
