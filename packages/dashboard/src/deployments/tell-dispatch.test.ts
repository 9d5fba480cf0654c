import { describe, expect, it } from 'vitest'
import { tellDispatch } from './tell-dispatch.ts'

describe('tellDispatch', () => {
  it('says why a start was refused in words, and names a code that it does not know', () => {
    expect(tellDispatch('refused', 'ref_not_found')).toContain('no such branch')
    expect(tellDispatch('refused', 'teapot')).toContain('(teapot)')
    expect(tellDispatch('refused', null)).toContain('refused')
  })

  it('never invites to start again what may have begun', () => {
    expect(tellDispatch('ambiguous', null)).toContain('not started a second time')
    expect(tellDispatch('ambiguous', 'run_not_found')).toContain('Look there before')
  })
})
