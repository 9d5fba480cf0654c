import { describe, expect, it } from 'vitest'
import type { ReportedState } from '../../providers/codehosts/deployment.ts'
import { combineJobs } from './combine-jobs.ts'

/** Holds the states of each job, in their order. */
const cases: readonly (readonly [ReportedState, readonly (readonly string[])[]])[] = [
  ['pending', [[]]],
  ['queued', [['queued']]],
  ['unknown', [['of a later release']]],
  ['inactive', [['success', 'inactive']]],
  ['pending', [[], []]],
  ['queued', [[], ['queued']]],
  ['in_progress', [['success'], []]],
  ['in_progress', [['success'], ['queued']]],
  ['in_progress', [['failure'], ['in_progress']]],
  ['in_progress', [['waiting'], ['in_progress']]],
  ['waiting', [['success'], ['waiting']]],
  ['success', [['success'], ['success']]],
  ['failure', [['success'], ['failure']]],
  ['failure', [['error'], ['failure'], ['success']]],
  ['error', [['error'], ['success']]],
  // GitHub makes the one inactive when the other succeeds.
  ['success', [['success', 'inactive'], ['success']]],
  ['failure', [['success', 'inactive'], ['failure']]],
  ['in_progress', [['success', 'inactive'], ['in_progress']]],
  [
    'inactive',
    [
      ['success', 'inactive'],
      ['success', 'inactive'],
    ],
  ],
  // It never began.
  ['success', [['inactive'], ['success']]],
]

describe('the state of a deployment', () => {
  it.each(cases)('is %s where its jobs had %j', (state, jobs) => {
    const states = jobs.map((words) => ({
      state: words.at(-1) ?? null,
      lastWord: words.findLast((word) => word !== 'inactive') ?? null,
    }))
    expect(combineJobs(states)).toBe(state)
    expect(combineJobs(states.toReversed())).toBe(state)
  })
})
