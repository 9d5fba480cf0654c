import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'

describe('what is one of many', () => {
  describeStates({ of: () => true, one: true })
})
