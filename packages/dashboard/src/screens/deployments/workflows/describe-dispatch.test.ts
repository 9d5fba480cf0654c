import { describe, expect, it } from 'vitest'
import { describeDispatch, toDispatchVariant, type DispatchOutcome } from './describe-dispatch.ts'

const text = (of: Partial<DispatchOutcome>) =>
  describeDispatch({ state: 'sent', reason: null, runState: null, ...of }, 'Example')

describe('describeDispatch', () => {
  it('says why a start was refused in words, and names a code that it does not know', () => {
    expect(text({ state: 'refused', reason: 'ref_not_found' })).toContain(
      'The branch or tag doesn’t exist',
    )
    expect(text({ state: 'refused', reason: 'teapot' })).toContain('The code is teapot.')
    expect(text({ state: 'refused' })).toContain('Example refused')
  })

  it('never invites to start again what may have begun', () => {
    expect(text({ state: 'ambiguous' })).toContain('doesn’t start it twice')
    expect(text({ state: 'ambiguous', reason: 'run_not_found' })).toContain('Check Example before')
  })

  it('follows the run to its end', () => {
    expect(text({})).toBe('Example started the run.')
    expect(text({ runState: 'running' })).toBe('The run is in progress.')
    expect(text({ runState: 'passed' })).toBe('The run finished successfully.')
    expect(toDispatchVariant({ state: 'sent', runState: 'failed' }).word).toBe('Failed')
  })
})
