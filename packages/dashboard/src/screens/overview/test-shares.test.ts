import { expect, it } from 'vitest'
import { toShares } from './test-shares.ts'

const run = { passed: 0, failed: 0, flaky: 0, failedRuns: 0 }

it('divides 100 per cent, and keeps a single failure visible', () => {
  expect(toShares({ ...run, passed: 412 })).toEqual({ passed: 100, flaky: 0, failed: 0 })
  expect(toShares({ ...run, passed: 3, failed: 1 })).toEqual({ passed: 75, flaky: 0, failed: 25 })
  expect(toShares({ ...run, passed: 4999, failed: 1 })).toEqual({ passed: 96, flaky: 0, failed: 4 })
  expect(toShares({ ...run, passed: 8, failed: 2, flaky: 4 })).toEqual({
    passed: 40,
    flaky: 40,
    failed: 20,
  })
})

it('shows a run without counts by its result', () => {
  expect(toShares({ ...run, failedRuns: 1 }).failed).toBe(100)
  expect(toShares(run).passed).toBe(100)
  expect(toShares({ ...run, failed: 5, failedRuns: 1 }).failed).toBe(100)
})
