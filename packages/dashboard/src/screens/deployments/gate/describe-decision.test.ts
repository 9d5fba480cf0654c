import { describe, expect, it } from 'vitest'
import {
  describeDecision,
  describeWait,
  listBlocking,
  nameDecision,
  type Reason,
} from './describe-decision.ts'

const askedAt = '2026-12-01T08:00:00.000Z'
const soon = '2026-12-01T08:00:02.000Z'
const later = '2026-12-01T08:12:00.000Z'
const ada = { type: 'user' as const, id: 'usr_1', name: 'Ada' }

const reason = (part: Partial<Reason>): Reason => ({
  gateId: 'gat_1',
  code: 'tests',
  state: 'waiting',
  isWatched: false,
  text: 'Waits for the tests of 4f1c2aa in staging.',
  nextStep: null,
  ...part,
})

const waitedFor = 'tests of 4f1c2aa in staging'

type Described = Parameters<typeof describeDecision>[0]

const says = (part: Partial<Described>) =>
  describeDecision({
    state: 'waiting',
    askedAt,
    decidedAt: null,
    decidedBy: null,
    waitedFor: null,
    ...part,
  })

describe('a deployment that asked', () => {
  it('lists what holds it up, without what is met and what only watches', () => {
    const reasons = [
      reason({}),
      reason({ code: 'approvals' }),
      reason({ code: 'soak', state: 'met' }),
      reason({ code: 'quiet', isWatched: true }),
    ]
    expect(listBlocking({ reasons }).map(({ code }) => code)).toEqual(['tests', 'approvals'])
  })

  it('says what it waits for', () => {
    expect(says({ waitedFor })).toBe('It waits for tests of 4f1c2aa in staging.')
    // Everything is met, and nothing has judged it since.
    expect(says({})).toBe('It is about to go on.')
  })

  it('says how long it waited, and whose decision that was', () => {
    expect(says({ state: 'passed', decidedAt: soon })).toBe('It went on without waiting.')
    expect(says({ state: 'passed', decidedAt: later, waitedFor })).toBe(
      'It waited 12 min for tests of 4f1c2aa in staging.',
    )
    expect(says({ state: 'passed', decidedAt: later })).toBe('It waited 12 min.')
    expect(says({ state: 'overridden', decidedAt: later, decidedBy: ada })).toBe(
      'Ada let it go on after 12 min, although its rules were not met.',
    )
    expect(says({ state: 'refused', decidedAt: later, decidedBy: ada })).toBe(
      'Ada refused it after 12 min.',
    )
    // A commit of a fork is refused by a rule, and at once.
    expect(says({ state: 'refused', decidedAt: soon })).toBe('It was refused.')
    expect(says({ state: 'expired', decidedAt: later })).toMatch(/deploy it again\.$/)
  })

  it('has not waited for a known time while it waits', () => {
    expect(describeWait({ askedAt, decidedAt: null })).toBeUndefined()
    expect(describeWait({ askedAt, decidedAt: later })).toBe('12 min')
  })

  it('is named by its commit and our name of the environment', () => {
    const sha = '4f1c2aa0123456789'
    expect(nameDecision({ sha, environment: 'production', hostEnvironment: 'Prod' })).toBe(
      '4f1c2aa to production',
    )
    expect(nameDecision({ sha, environment: null, hostEnvironment: 'Prod' })).toBe(
      '4f1c2aa to Prod',
    )
  })
})
