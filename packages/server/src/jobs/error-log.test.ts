import { expect, it } from 'vitest'
import { silentLog } from '../store/log.ts'
import { createErrorLog } from './error-log.ts'

const broken = new Error('The connection broke')

it('logs each failure of the queue once, in its own words, whatever pg-boss makes of it', () => {
  const lines: unknown[] = []
  const error = (...line: readonly unknown[]) => void lines.push(line)
  const log = createErrorLog({ ...silentLog, error })
  for (const failure of [
    broken,
    { name: broken.name, message: broken.message, queue: 'inbox' },
    new Error(`${broken.message} (Queue: inbox, Worker: 1e2f)`),
    'halted',
  ]) {
    log(failure)
  }
  expect(lines).toEqual(
    ['The connection broke', 'halted'].map((reason) => [
      'The job queue reported an error',
      { reason },
    ]),
  )
})
