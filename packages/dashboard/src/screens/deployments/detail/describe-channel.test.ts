import { expect, it } from 'vitest'
import { describeChannel } from './describe-channel.ts'

it.each([
  ['deployments', 'live', '#deployments'],
  [null, 'live', 'Earlier channel'],
  [null, 'gone', 'Earlier channel'],
  [null, 'held', 'No channel'],
  [null, 'wanted', 'No channel'],
] as const)('the channel %s of a message that is %s is called %s', (channelName, state, name) => {
  expect(describeChannel({ channelName, state })).toBe(name)
})
