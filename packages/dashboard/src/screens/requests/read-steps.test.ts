import { expect, it } from 'vitest'
import { readSteps } from './read-steps.ts'

it('a request of a rollout says its steps in words', () => {
  const steps = [
    { percent: 5, holdMinutes: 1440, signals: ['sig_1'] },
    { percent: 100, holdMinutes: 0, approve: true },
  ]
  const operation = { kind: 'plan', body: { flag: 'newCheckout', steps } }
  expect(readSteps({ operation }, () => 'api-errors')).toEqual([
    '5% for 1 d, watched by api-errors',
    '100%, after an approval',
  ])
})

it('other requests have none', () => {
  expect(readSteps({ operation: { kind: 'values', body: {} } }, String)).toBeUndefined()
  expect(
    readSteps({ operation: { kind: 'delete', path: '/segments/staff' } }, String),
  ).toBeUndefined()
})
