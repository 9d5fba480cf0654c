import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'
import { isWork } from './screens.ts'

describe('a screen of integrations, people or settings', () => {
  describeStates({ of: (page) => !isWork(page), one: false })
})
