import { expect, it } from 'vitest'
import { isAtLeast } from './version.ts'

it.each([
  ['18.1.0', true],
  ['18.1.0-pre', true],
  ['18.10.3-ee', true],
  ['19.0.0', true],
  ['100.0', true],
  ['18.0.9', false],
  ['17.11.2-ee', false],
  ['9.9', false],
  [null, true],
  ['unknown', true],
])('%s takes inputs: %s', (version, takesInputs) => {
  expect(isAtLeast(version, '18.1')).toBe(takesInputs)
})
