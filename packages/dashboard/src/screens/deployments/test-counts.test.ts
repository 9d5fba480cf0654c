import { describe, expect, it } from 'vitest'
import { toTestVariant, toTestNotes } from './test-counts.ts'

const counts = { passed: 411, failed: 0, flaky: 0, contaminated: false }

describe('toTestLook', () => {
  it('says the number that matters', () => {
    expect(toTestVariant({ ...counts, state: 'passed' }).word).toBe('411 passed')
    expect(toTestVariant({ ...counts, state: 'failed', failed: 3 }).word).toBe('3 failing')
  })

  it('says the state where there is no number, or it says nothing', () => {
    expect(toTestVariant({ ...counts, state: 'passed', passed: null }).word).toBe('Tests passed')
    expect(toTestVariant({ ...counts, state: 'failed' }).word).toBe('Tests failed')
    expect(toTestVariant({ ...counts, state: 'timed_out', failed: 2 }).word).toBe('Tests timed out')
    expect(toTestVariant({ ...counts, state: 'running' }).word).toBe('Tests running')
  })
})

describe('toTestNotes', () => {
  it('names what takes from the trust in a result', () => {
    const run = { ...counts, state: 'passed' } as const
    expect(toTestNotes(run)).toEqual([])
    const notes = toTestNotes({ ...run, flaky: 2, contaminated: true })
    expect(notes.map(({ word, meaning }) => [word, meaning])).toEqual([
      ['2 flaky', '2 tests passed only when repeated.'],
      ['unreliable', 'Unreliable: another deployment went live while these tests ran.'],
    ])
  })
})
