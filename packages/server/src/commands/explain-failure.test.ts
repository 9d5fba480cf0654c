import { Problem } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { OperatorError } from '../store/operator-error.ts'
import { UsageError } from './command.ts'
import { explainFailure, renderFailure } from './explain-failure.ts'

describe('explainFailure', () => {
  it('shows where a bug is', () => {
    const failure = explainFailure(new TypeError('x is not a function'))
    expect(failure).toMatchObject({ code: 'internal', exitCode: 1 })
    expect(failure.details.join('\n')).toContain('explain-failure.test.ts')
    expect(renderFailure(failure, { json: false })).toContain('explain-failure.test.ts')
  })

  it.each([
    new UsageError('Wrong.', 'Do it right.'),
    new OperatorError('Full.', { advice: 'Make room.', cause: new Error('within') }),
    new Problem('db_unavailable', 'The database does not answer.'),
    Object.assign(new Error('listen EADDRINUSE: address already in use'), {
      code: 'EADDRINUSE',
      syscall: 'listen',
    }),
  ])('shows no stack of what the person can mend: %s', (error) => {
    expect(explainFailure(error).details).toEqual([])
    expect(renderFailure(explainFailure(error), { json: false })).not.toContain('    at ')
  })

  it('ends wrong usage with 2 and other failures with 1', () => {
    expect(explainFailure(new UsageError('Wrong.')).exitCode).toBe(2)
    expect(explainFailure(new OperatorError('Full.')).exitCode).toBe(1)
  })
})
