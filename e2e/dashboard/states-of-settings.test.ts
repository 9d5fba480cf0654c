import { describe } from 'vitest'
import { describeStates } from './describe-states.ts'
import { screensOfIntegrations, screensOfPeople } from './screens.ts'

describe('a screen of integrations, people or settings', () => {
  describeStates(() => [...screensOfIntegrations, ...screensOfPeople])
})
