import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'
import { isWork } from './screens.ts'

describe('a screen of deployments or configuration', () => {
  describeStates({ of: isWork, one: false })
})
