import { cutText } from '@signalbox/contract'
import type { FailedJob } from './jobs.ts'

/** Errors whose text was written for people. Any other may quote what a job held. */
const writtenForPeople: ReadonlySet<string> = new Set(['Problem', 'ProviderError'])
const unexplained = 'Signalbox hit an unexpected error. The cause is in the server’s log.'

/** Holds what the queue stores of a failure: a text for people, and neither stack nor cause. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'

  constructor(thrown: unknown) {
    const isShown = thrown instanceof Error && writtenForPeople.has(thrown.name)
    super(isShown ? cutText(thrown.message, 500) : unexplained)
    this.stack = ''
  }
}

/** Reads the cause of a job's failure out of what the queue stored of its last try. */
export function readFailure(output: unknown): Pick<FailedJob, 'cause' | 'reason'> {
  const { name, message, value } = Object(output)
  const said = String(message ?? Object(value).message)
  // pg-boss writes this for a worker that was silent: one that lives reports itself that its time is over.
  if (said === 'job heartbeat timeout' || said === 'job timed out') {
    const reason = 'During the last attempt its process ended, hung or lost the database.'
    return { cause: 'process_ended', reason }
  }
  if (said.startsWith('handler execution exceeded')) {
    return { cause: 'timed_out', reason: 'The last attempt ran into its time limit.' }
  }
  return { cause: 'failed', reason: name === 'JobFailure' ? said : unexplained }
}
