import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeResult } from './judge-result.ts'
import { mergeRun, toRunReport, type RunReport } from './merge-run.ts'
import type { RunState } from '../../providers/codehosts/run.ts'
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

  it('keeps the word of the source that was complete first where neither has passed', () => {
    const [first, second] = [workflow('cancelled'), report('failed', 1)]
    expect(all(first, second)).toMatchObject({ state: 'cancelled', decidedBy: 'workflow' })
    expect(all(second, first)).toMatchObject({ state: 'failed', decidedBy: 'report' })
  })

  const byApi = (state: RunReport['state'], failed: number | null = null): RunReport => ({
    source: 'api',
    state,
    at: minutes(6),
    counts: { passed: 3, failed, skipped: 0 },
  })
  it.each([
    [
      'its workflow failed, as when a job that sends a part of the report did',
      report('passed'),
      workflow('failed'),
      'failed',
    ],
    ['its workflow was cancelled', report('passed'), workflow('cancelled'), 'cancelled'],
    [
      'its report has a failure that the workflow ignores',
      report('failed', 1),
      workflow('passed'),
      'failed',
    ],
    ['a part of its report is missing', report('errored'), workflow('passed'), 'errored'],
    ['nothing in its report ran', report('skipped'), workflow('passed'), 'skipped'],
    [
      'its report fails after it was told to have passed',
      report('failed', 1),
      byApi('passed'),
      'failed',
    ],
    ['it is told to have passed with failures', byApi('passed', 2), byApi('passed'), 'failed'],
    ['its parts stop arriving', report('running'), workflow('passed'), 'errored'],
  ])('has not passed where %s, in whichever order that is known', (_, one, other, state) => {
    for (const merged of [all(one, other), all(other, one)]) {
      expect(merged).toMatchObject({ state, finishedAt: expect.any(Date) })
    }
    expect(all(one, other, one, other).state).toBe(state)
  })

  it('says that workflow and report contradict each other, with the sums of the report', () => {
    for (const merged of [
      all(report('passed'), workflow('failed')),
      all(workflow('failed'), report('passed')),
    ]) {
      expect(merged).toMatchObject({ state: 'failed', decidedBy: 'workflow', passed: 3 })
      expect(judgeResult(merged).warnings).toEqual([
        expect.stringContaining('The report passed but the workflow failed'),
      ])
    }
  })

  it('passes when the source that objected has corrected itself', () => {
    expect(all(workflow('passed'), report('failed', 1), report('passed')).state).toBe('passed')
    expect(all(report('errored'), workflow('passed'), report('passed')).state).toBe('passed')
    expect(all(report('passed'), workflow('failed'), report('passed')).state).toBe('failed')
  })

  it('waits for the rest of a report, until its deadline', () => {
    const waiting = all(report('passed'), report('running'))
    expect(waiting).toMatchObject({
      state: 'running',
      finishedAt: null,
      deadlineAt: minutes(4 + run.deadlineMinutes),
    })
    expect(mergeRun(waiting, report('passed'))).toMatchObject({ state: 'passed', deadlineAt: null })
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
