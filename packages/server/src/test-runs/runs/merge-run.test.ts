import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeResult } from './judge-result.ts'
import { mergeRun, toRunReport, type RunReport } from './merge-run.ts'
import type { RunState } from '../../providers/codehost.ts'
import { buildHostRun } from '../testing/build-host-run.ts'
import { newTestRun, ranks, type TestRun } from './test-run.ts'

const start = new Date('2026-01-01T12:00:00.000Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)
const run = newTestRun({
  id: 'run_1',
  name: 'e2e',
  createdAt: start,
  deployedSha: 'a'.repeat(40),
  ruleKey: 'workflow:e2e.yml',
})
const workflow = (state: RunReport['state'], more: Partial<RunReport> = {}): RunReport => ({
  source: 'workflow',
  attempt: 1,
  state,
  at: minutes(5),
  ...more,
})
const report = (state: RunReport['state'], failed = 0): RunReport => ({
  source: 'report',
  state,
  at: minutes(4),
  counts: { passed: 3, failed, skipped: 0, flaky: 0 },
})
const all = (...reports: RunReport[]): TestRun => reports.reduce(mergeRun, run)

describe('mergeRun', () => {
  it('follows a run to its end', () => {
    const merged = all(workflow('queued'), workflow('running', { startedAt: minutes(1) }))
    expect(merged).toMatchObject({
      state: 'running',
      startedAt: minutes(1),
      deadlineAt: minutes(61),
    })
    expect(mergeRun(merged, workflow('passed'))).toMatchObject({
      state: 'passed',
      finishedAt: minutes(5),
      deadlineAt: null,
    })
  })

  it('ignores what is behind what is known, and an earlier attempt', () => {
    const passed = all(workflow('passed', { attempt: 2 }))
    expect(mergeRun(passed, workflow('running', { attempt: 2 })).state).toBe('passed')
    expect(mergeRun(passed, workflow('failed', { attempt: 1 }))).toBe(passed)
  })

  it('starts anew with a higher attempt of the same run, and forgets the result of the one before', () => {
    const again = all(
      { ...workflow('failed'), externalId: '7' },
      report('failed', 2),
      workflow('running', { attempt: 2, startedAt: minutes(9) }),
    )
    expect(again).toMatchObject({
      id: 'run_1',
      externalId: '7',
      attempt: 2,
      state: 'running',
      failed: null,
      finishedAt: null,
      reportOutcome: null,
    })
  })

  it('lets a late result correct a timeout that we assumed', () => {
    const timedOut: TestRun = {
      ...run,
      state: 'timed_out',
      stateRank: ranks.assumedEnd,
      finishedAt: minutes(61),
    }
    expect(mergeRun(timedOut, workflow('running')).state).toBe('timed_out')
    expect(mergeRun(timedOut, workflow('passed')).state).toBe('passed')
  })

  it('keeps the word of the source that was complete first, and the sums of the report', () => {
    const reportFirst = all(report('passed'), workflow('failed'))
    expect(reportFirst).toMatchObject({ state: 'passed', decidedBy: 'report', passed: 3 })
    const workflowFirst = all(workflow('failed'), report('passed'))
    expect(workflowFirst).toMatchObject({ state: 'failed', decidedBy: 'workflow', passed: 3 })
    for (const merged of [reportFirst, workflowFirst]) {
      expect(judgeResult(merged).warnings).toEqual([
        expect.stringContaining('The report passed but the workflow failed'),
      ])
    }
  })

  it('lets a source correct itself: a shard with a failure after one without', () => {
    expect(all(report('passed'), report('failed', 1))).toMatchObject({ state: 'failed', failed: 1 })
  })

  it('comes to the same attempt, outcome of the workflow and counts in whatever order and however often it is told', () => {
    const told = [
      workflow('queued'),
      workflow('running', { startedAt: minutes(1) }),
      workflow('failed', { testedSha: 'b' }),
      workflow('running', { attempt: 2, startedAt: minutes(7) }),
      workflow('passed', { attempt: 2, at: minutes(9), testedSha: 'b' }),
    ]
    const expected = told.reduce(mergeRun, run)
    const order = fc.shuffledSubarray([...told, ...told], { minLength: told.length * 2 })
    fc.assert(
      fc.property(order, (shuffled) => {
        expect(shuffled.reduce(mergeRun, run)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('control: whoever takes the last word comes to something else', () => {
    const last = (_: TestRun, { state }: RunReport) => ({ ..._, state: state ?? _.state })
    const told = [workflow('passed', { attempt: 2 }), workflow('failed')]
    expect(told.reduce(last, run).state).not.toBe(told.toReversed().reduce(last, run).state)
    expect(told.reduce(mergeRun, run).state).toBe(told.toReversed().reduce(mergeRun, run).state)
  })
})

describe('toRunReport', () => {
  it('measures a run that ended, and gives one that waits no start', () => {
    const [startedAt, updatedAt] = [new Date(1_000), new Date(4_000)]
    const read = (state: RunState) => toRunReport(buildHostRun({ state, startedAt, updatedAt }))
    expect(read('queued')).toMatchObject({ state: 'queued', startedAt: null, durationMs: null })
    expect(read('running')).toMatchObject({ state: 'running', startedAt, durationMs: null })
    expect(read('failed')).toMatchObject({ state: 'failed', startedAt, durationMs: 3_000 })
  })

  it('says nothing of a state that is not known', () => {
    expect(toRunReport(buildHostRun({ state: 'unknown' }))).toBeUndefined()
  })
})
