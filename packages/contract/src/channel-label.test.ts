import { expect, it } from 'vitest'
import { labelChannel } from './channel-label.ts'

it.each([
  ['deployments', '#deployments'],
  ['#deployments', '#deployments'],
  ['Acme / Town Square', 'Acme / Town Square'],
])('writes %s as %s', (name, label) => {
  expect(labelChannel(name)).toBe(label)
})
