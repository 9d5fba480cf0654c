import { OperatorError } from '../store/operator-error.ts'

/** Reports that a copy was stopped from outside. It is thrown after the cleaning up. */
export class Interrupted extends OperatorError {
  override readonly name = 'Interrupted'

  constructor() {
    super('Interrupted.', { code: 'interrupted' })
  }
}

/**
 * Runs `work` with a signal that the first SIGINT or SIGTERM aborts, so that it can stop the database it has started.
 * A second one ends the process at once.
 *
 * @throws {Interrupted} when it was stopped that way.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const ask = () => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  }
  process.on('SIGINT', ask)
  process.on('SIGTERM', ask)
  try {
    return await work(stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted() : error
  } finally {
    process.off('SIGINT', ask)
    process.off('SIGTERM', ask)
  }
}
