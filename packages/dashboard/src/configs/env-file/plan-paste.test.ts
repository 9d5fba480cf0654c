import { expect, it } from 'vitest'
import { buildKey, buildMatrix, own } from '../testing/build-matrix.ts'
import { planPaste } from './plan-paste.ts'

it('lays each line beside what the environment has', () => {
  const matrix = buildMatrix([
    buildKey('apiUrl', [own('https://a.example'), { source: 'missing' }]),
    buildKey('timeoutMs', [own(250), own(250)], { type: 'number' }),
    buildKey('newCheckout', [{ source: 'default', value: false }, own(true)], {
      type: 'boolean',
      tier: 'featureFlags',
    }),
  ])
  const [environment] = matrix.environments
  if (environment === undefined) throw new Error('There is no environment')
  const text = 'API_URL=https://b.example\nTIMEOUT_MS=250\nNEW_CHECKOUT=maybe\nOTHER=1'
  const { lines } = planPaste(matrix, environment, text)
  expect(lines.map(({ outcome }) => outcome)).toEqual(['replaces', 'same', 'invalid', 'unknown'])
  expect(lines.flatMap(({ change }) => change?.edit ?? [])).toEqual([
    { kind: 'set', value: 'https://b.example' },
  ])
})
