import { expect, it } from 'vitest'
import { describePlan, describePosition, describeStep, toWhen } from './describe-plan.ts'

const now = new Date(2026, 10, 30, 14, 5).getTime()
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
const step = (percent: number) => ({
  percent,
  holdMinutes: 1440,
  approve: false,
  signals: null,
  at: null,
  versionId: null,
  proof: null,
})
const watched = {
  ...step(5),
  signals: ['sig_1'],
  proof: { id: 'prf_1', state: 'watching' as const },
}
const plan = {
  state: 'running' as const,
  steps: [step(5), step(25), step(100)],
  position: 0,
  nextAt: inHours(24),
  reason: null,
  prove: null,
}
const nameOf = (id: string) => ({ sig_1: 'api-errors', sig_2: 'e2e' })[id] ?? id
const says = (change: Partial<Parameters<typeof describePlan>[0]>, names = nameOf) =>
  describePlan({ ...plan, ...change }, now, names)

it('a running plan says which step comes next, and when', () => {
  expect(says({})).toBe('Next: 25% tomorrow at 14:05')
  expect(says({ nextAt: inHours(1) })).toBe('Next: 25% today at 15:05')
  expect(says({ nextAt: inHours(-1) })).toBe('Next: 25% in a moment')
  expect(says({ position: 2 })).toBe('Ends tomorrow at 14:05')
})

it('and what has to be good before, by the signals of the step or else of the plan', () => {
  const steps = [watched, step(25)]
  expect(says({ steps })).toBe('Next: 25% tomorrow at 14:05, when api-errors is good')
  expect(says({ steps, nextAt: inHours(-1) })).toBe('Next: 25%, as soon as api-errors is good')
  const prove = {
    signals: ['sig_1', 'sig_2'],
    minutes: 15,
    failures: '3 of 5',
    noData: 'hold' as const,
    onFailure: 'restore' as const,
  }
  const byPlan = [{ ...watched, signals: null }, step(25)]
  expect(says({ steps: byPlan, prove })).toBe(
    'Next: 25% tomorrow at 14:05, when api-errors and e2e are good',
  )
  // The policy of the environment watches it, by signals that no plan names.
  expect(says({ steps: byPlan })).toBe('Next: 25% tomorrow at 14:05, when its proof is there')
})

it('says who has to press, and why it is paused', () => {
  const steps = [step(5), { ...step(25), approve: true }]
  expect(says({ steps })).toBe('Next: 25% tomorrow at 14:05, after an approval')
  expect(says({ steps, state: 'waiting' })).toBe('Waits for an approval of 25%')
  const reason = { code: 'edited' as const, detail: 'Ada has changed the flag.' }
  expect(says({ state: 'paused', reason })).toBe('Paused: Ada has changed the flag')
  expect(says({ state: 'stopped', reason })).toBe('Stopped at 5%: Ada has changed the flag')
  expect(describePosition({ ...plan, state: 'paused', position: 1 })).toBe(
    'Rollout paused: 25%, step 2 of 3',
  )
})

it('names the day of what is further ahead', () => {
  expect(toWhen(inHours(11), now)).toBe('tomorrow at 01:05')
  expect(toWhen(inHours(72), now)).toBe('on Thu 3 Dec at 14:05')
})

it('a step is one line, and a hold of none is left out', () => {
  expect(describeStep({ percent: 5, holdMinutes: 1440 })).toBe('5% for 1 d')
  expect(describeStep({ percent: 25, holdMinutes: 30, approve: true })).toBe(
    '25% for 30 min, after an approval',
  )
  expect(describeStep({ percent: 100, holdMinutes: 0 })).toBe('100%')
})
