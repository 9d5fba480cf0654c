import { describe, expect, it } from 'vitest'
import { chooseRef } from '../workflows/choose-ref.ts'
import { chooseWorkflows, type TestableDeployment } from '../workflows/choose-workflow.ts'
import { findFlaky, type AttemptedCase } from '../reports/flaky.ts'
import { judgeResult } from './judge-result.ts'
import {
  countRepeated,
  mergeCases,
  mergeRetries,
  mergeSummaries,
  summarizeReport,
  toOutcome,
  type ReportSummary,
} from '../reports/summarize-report.ts'
import { newTestRun } from './test-run.ts'
import type { TestCase } from '../reports/test-report.ts'

const liveAt = new Date('2026-01-01T12:00:00.000Z')
const deployment: TestableDeployment = {
  id: 'dep_1',
  repositoryExternalId: '1',
  environmentId: 'env_staging',
  isProduction: false,
  liveAt,
  wasLive: true,
}
const workflow = { workflowId: 'e2e.yml', debounceSeconds: 10, deadlineMinutes: 60 }

describe('chooseWorkflows', () => {
  it('tests a success after it has been the newest for as long as the settings say', () => {
    expect(chooseWorkflows(deployment, [workflow])).toEqual([
      { workflow, ruleKey: 'workflow:e2e.yml', notBefore: new Date(liveAt.getTime() + 10_000) },
    ])
  })

  it('tests nothing that never went live, or is of no code host', () => {
    const others = [{ wasLive: false }, { repositoryExternalId: null }]
    for (const other of others) {
      expect(chooseWorkflows({ ...deployment, ...other }, [workflow])).toEqual([])
    }
  })

  it('tests production only where it is named', () => {
    const live = { ...deployment, isProduction: true, environmentId: 'env_live' }
    expect(chooseWorkflows(live, [workflow])).toEqual([])
    expect(chooseWorkflows(live, [{ ...workflow, environmentIds: ['env_live'] }])).toHaveLength(1)
  })

  it('asks for a workflow once, and only of its repository and environments', () => {
    const named = (more: object) => chooseWorkflows(deployment, [{ ...workflow, ...more }])
    expect(named({ repositoryId: '2' })).toEqual([])
    expect(named({ environmentIds: ['env_other'] })).toEqual([])
    expect(chooseWorkflows(deployment, [workflow, workflow])).toHaveLength(1)
  })
})

describe('chooseRef', () => {
  it('takes the branch or tag, and the default branch for a commit', () => {
    const defaultBranch = 'main'
    const sha = 'c'.repeat(40)
    expect(chooseRef({ ref: 'refs/heads/next', refKind: 'branch', defaultBranch })).toBe('next')
    expect(chooseRef({ ref: 'v1.2', refKind: 'tag', defaultBranch })).toBe('v1.2')
    expect(chooseRef({ ref: sha, refKind: 'sha', defaultBranch })).toBe('main')
    expect(chooseRef({ ref: sha, refKind: 'branch', defaultBranch })).toBe('main')
    // Nothing can be started on the ref of a pull request.
    const pull = 'refs/pull/12/merge'
    expect(chooseRef({ ref: pull, refKind: 'branch', defaultBranch })).toBe('main')
    const merge = 'refs/merge-requests/7/merge'
    expect(chooseRef({ ref: merge, refKind: 'branch', defaultBranch })).toBe(merge)
  })
})

describe('judgeResult', () => {
  const passed = newTestRun({
    id: 'run_1',
    name: 'e2e',
    createdAt: liveAt,
    state: 'passed',
    deployedSha: 'a'.repeat(40),
    testedSha: 'a'.repeat(40),
  })

  it('counts a result of what was deployed, with a shortened commit too', () => {
    expect(judgeResult(passed)).toEqual({ warnings: [], isCounted: true })
    expect(judgeResult({ ...passed, testedSha: 'aaaaaaa' }).isCounted).toBe(true)
  })

  it('does not count a result of another commit, or of a place that changed meanwhile', () => {
    for (const other of [{ testedSha: 'b'.repeat(40) }, { contaminatedBy: 'dep_2' }]) {
      const judged = judgeResult({ ...passed, ...other })
      expect(judged.isCounted).toBe(false)
      expect(judged.warnings).toHaveLength(1)
    }
  })

  it('says of a run that it did not start, did not end, or may not exist', () => {
    const states = [
      { state: 'errored', stateReason: 'not_started' },
      { state: 'timed_out' },
      { state: 'unknown' },
    ] as const
    for (const state of states) {
      expect(judgeResult({ ...passed, ...state })).toMatchObject({ isCounted: false })
      expect(judgeResult({ ...passed, ...state }).warnings).toHaveLength(1)
    }
  })
})

describe('findFlaky', () => {
  const attempted = (more: Partial<AttemptedCase>): AttemptedCase => ({
    caseKey: 'a',
    sha: 's',
    attempt: 1,
    status: 'passed',
    flaky: false,
    contaminated: false,
    ...more,
  })

  it('finds a pass after a failure on the same commit, within a report and across attempts', () => {
    const failed = attempted({ status: 'failed' })
    expect([...findFlaky([attempted({ flaky: true })])]).toEqual(['a'])
    expect([...findFlaky([failed, attempted({ attempt: 2 })])]).toEqual(['a'])
    expect([...findFlaky([failed, attempted({ attempt: 2, status: 'failed' })])]).toEqual([])
  })

  it('calls nothing flaky for another commit, a skip, or a contaminated attempt', () => {
    const failed = attempted({ status: 'failed' })
    for (const other of [{ sha: 't' }, { status: 'skipped' }, { contaminated: true }] as const) {
      expect([...findFlaky([failed, attempted({ attempt: 2, ...other })])]).toEqual([])
    }
  })
})

describe('summarizeReport', () => {
  const test = (name: string, status: TestCase['status'], more: Partial<TestCase> = {}) => ({
    suite: 's',
    name,
    status,
    durationMs: 10,
    retries: 0,
    flaky: false,
    message: null,
    ...more,
  })
  const report = (...cases: TestCase[]) => ({
    format: 'ctrf' as const,
    cases,
    shard: null,
    startedAt: null,
    finishedAt: null,
  })

  it('counts the tests themselves, and adds shards up', () => {
    const one = summarizeReport(report(test('a', 'passed'), test('b', 'pending')))
    const two = summarizeReport(report(test('c', 'failed'), test('d', 'passed', { flaky: true })))
    const run = (...summaries: ReportSummary[]) =>
      mergeSummaries(summaries.map((summary, index) => ({ shard: String(index), summary })))
    expect(run(one, two)).toMatchObject({
      passed: 2,
      failed: 1,
      skipped: 1,
      flaky: 1,
      durationMs: 40,
    })
    const states = [[one], [one, two], [summarizeReport(report())]].map((parts) =>
      toOutcome(run(...parts)),
    )
    expect(states).toEqual(['passed', 'failed', 'skipped'])
  })

  it('keeps the last of several tries, as flaky where one before it failed', () => {
    const tries = [
      test('a', 'failed', { message: 'no' }),
      test('b', 'failed'),
      test('a', 'failed'),
      test('a', 'passed'),
      test('b', 'failed'),
    ]
    expect(countRepeated(tries)).toBe(1)
    expect(mergeRetries(tries)).toMatchObject([
      { name: 'a', status: 'passed', flaky: true, retries: 2, durationMs: 30 },
      { name: 'b', status: 'failed', flaky: false, retries: 1 },
    ])
  })

  it('keeps a test once, as failed where it failed anywhere', () => {
    const merged = mergeCases([test('a', 'passed'), test('a', 'failed'), test('b', 'passed')])
    expect(merged.map(({ name, status }) => [name, status])).toEqual([
      ['a', 'failed'],
      ['b', 'passed'],
    ])
  })
})
