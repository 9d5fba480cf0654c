import { Problem } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { ProviderError } from '../providers/provider-error.ts'
import { JobFailure, readFailure } from './job-failure.ts'

describe('what is kept of a failed try', () => {
  const kept = (thrown: unknown) => {
    const { name, message, stack } = new JobFailure(thrown)
    return readFailure({ name, message, stack })
  }

  it('is the text of what was written for people', () => {
    const shown = { cause: 'failed', reason: 'The tracker is away.' }
    expect(kept(new Problem('provider_error', 'The tracker is away.'))).toEqual(shown)
    const refused = new ProviderError({ provider: 'jira', failure: 'rejected', code: '400' })
    expect(kept(refused).reason).toBe('jira: rejected (400)')
  })

  it('is nothing of any other error, which may quote what the job held', () => {
    const said = JSON.stringify([new JobFailure(new Error('xoxb-secret')), kept('xoxb-secret')])
    expect(said).not.toContain('secret')
    expect(kept(new Error('xoxb-secret')).reason).toContain('The cause is in the server’s log')
    expect(new JobFailure(new Error('xoxb-secret')).stack).toBe('')
  })
})

describe('readFailure', () => {
  it('tells a job that took too long from one whose process was silent', () => {
    expect(readFailure({ message: 'handler execution exceeded 300s' }).cause).toBe('timed_out')
    expect(readFailure({ value: { message: 'job heartbeat timeout' } }).cause).toBe('process_ended')
    expect(readFailure({ value: { message: 'job timed out' } }).cause).toBe('process_ended')
  })

  it('quotes nothing of an output that it does not know', () => {
    for (const output of [null, 'xoxb-secret', { message: 'xoxb-secret' }]) {
      expect(readFailure(output)).toEqual({
        cause: 'failed',
        reason: expect.not.stringContaining('xoxb'),
      })
    }
  })
})
