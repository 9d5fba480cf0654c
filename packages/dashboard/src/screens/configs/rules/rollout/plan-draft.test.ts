import { expect, it } from 'vitest'
import { addStep, findNotRising, startSteps, toDrafts, toSteps } from './plan-draft.ts'

it('begins with four steps of a day', () => {
  expect(toSteps(startSteps)).toEqual(
    [5, 25, 50, 100].map((percent) => ({ percent, holdMinutes: 1440 })),
  )
})

it('shows steps in the largest unit that fits, and sends them as they were', () => {
  const steps = [
    { percent: 0.5, holdMinutes: 90 },
    { percent: 10, holdMinutes: 120, approve: true, signals: ['sig_1'] },
    { percent: 100, holdMinutes: 2880 },
  ]
  expect(toDrafts(steps).map(({ hold, unit }) => `${hold} ${unit}`)).toEqual([
    '90 minutes',
    '2 hours',
    '2 days',
  ])
  expect(toSteps(toDrafts(steps))).toEqual(steps)
})

it('finds the step that serves no more than the one before', () => {
  expect(findNotRising(startSteps)).toBeUndefined()
  expect(findNotRising(addStep(startSteps))).toBe(4)
  expect(findNotRising(addStep(startSteps.slice(0, 2)))).toBeUndefined()
})

it('a step that is added has an id of its own', () => {
  const ids = addStep(startSteps.slice(1)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
