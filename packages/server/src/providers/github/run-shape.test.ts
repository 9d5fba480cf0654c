import { describe, expect, it } from 'vitest'
import { readCorrelation } from '../codehosts/correlation.ts'
import { githubRun } from './run-shape.ts'

const run = {
  id: 9001,
  workflow_id: 55,
  event: 'workflow_dispatch',
  status: 'completed',
  conclusion: 'success',
  head_sha: 'a'.repeat(40),
  updated_at: '2026-01-01T12:05:00Z',
}
const stateOf = (status: unknown, conclusion: unknown = null) =>
  githubRun.parse({ ...run, status, conclusion }).state

describe('githubRun', () => {
  it('reads each conclusion, and a new one as an error', () => {
    const read = (conclusion: unknown) => stateOf('completed', conclusion)
    const known = ['success', 'neutral', 'failure', 'timed_out', 'cancelled', 'skipped']
    expect(known.map(read)).toEqual([
      'passed',
      'passed',
      'failed',
      'failed',
      'cancelled',
      'skipped',
    ])
    const others = ['startup_failure', 'action_required', 'stale', 'brand_new', 'constructor', null]
    expect(new Set(others.map(read))).toEqual(new Set(['errored']))
  })

  it('reads what has not begun as queued, and a status that it does not know as unknown', () => {
    const open = ['requested', 'waiting', 'pending', 'queued', 'in_progress']
    expect(open.map((status) => stateOf(status))).toEqual([
      'queued',
      'queued',
      'queued',
      'queued',
      'running',
    ])
    expect(['levitating', 'constructor', 7].map((status) => stateOf(status))).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ])
  })

  it('knows the runs that were started on request', () => {
    expect(githubRun.parse(run).isRequested).toBe(true)
    expect(githubRun.parse({ ...run, event: 'push' }).isRequested).toBe(false)
  })
})

describe('readCorrelation', () => {
  const body = '01jd2m4x9k0000000000000000'

  it.each([
    [`e2e run_${body}`, `run_${body}`],
    [`clean up (dsp_${body})`, `dsp_${body}`],
    ['e2e', null],
    [`e2e dep_${body}`, null],
    [`e2e prerun_${body}`, null],
    [`e2e run_${body}0`, null],
  ])('finds our id in %s', (title, id) => {
    expect(readCorrelation(title)).toBe(id)
  })
})
