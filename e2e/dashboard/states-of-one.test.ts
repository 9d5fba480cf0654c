import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'
import { listScreensOfOne } from './screens.ts'

describe('what is one of many', () => {
  describeStates(listScreensOfOne, true)
})
