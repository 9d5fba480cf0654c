import { isRequested, toApiProblem } from '../api/problem.ts'
import { showToast } from './toasts.tsx'

/**
 * Says what did not happen, and why. A message about a server that does not respond leaves once it does.
 *
 * @param what - Completes the sentence: `change newCheckout`
 */
export function showRejection(what: string, error: unknown): void {
  const problem = toApiProblem(error)
  // The shell has said so.
  if (isRequested(problem)) return
  const isOutage = problem.code === 'unreachable'
  const why = isOutage ? 'the server isn’t responding. Try again.' : problem.message
  showToast({ text: `Couldn’t ${what}: ${why}`, tone: 'bad', isOutage })
}
