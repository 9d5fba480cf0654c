import { describe, expect, it } from 'vitest'
import { describeDispatch } from './describe-dispatch.ts'

describe('describeDispatch', () => {
  it('says why a start was refused in words, and names a code that it does not know', () => {
    expect(describeDispatch('refused', 'ref_not_found')).toContain('no such branch')
    expect(describeDispatch('refused', 'teapot')).toContain('(teapot)')
    expect(describeDispatch('refused', null)).toContain('refused')
  })

  it('never invites to start again what may have begun', () => {
    expect(describeDispatch('ambiguous', null)).toContain('not started a second time')
    expect(describeDispatch('ambiguous', 'run_not_found')).toContain('Look there before')
  })
})
