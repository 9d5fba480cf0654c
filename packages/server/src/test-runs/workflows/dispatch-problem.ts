import { Problem } from '@signalbox/contract'
import { renderStartableAdvice } from './startable-advice.ts'

/** Says why a workflow cannot be started, by the code of the error. */
const notDispatchable: Readonly<Record<string, string>> = {
  not_found: 'The repository has no such workflow, or we may not see it.',
  no_dispatch_trigger: `The workflow cannot be started by hand: ${renderStartableAdvice()} on that branch.`,
  workflow_disabled: 'The workflow is disabled. Enable it at the code host.',
  input_required: 'The workflow requires an input that was not given.',
}

/** Returns the problem of a workflow that cannot be started as it is; `undefined` for a code of another kind. */
export function toDispatchProblem(ref: string, code: string): Problem | undefined {
  if (code === 'ref_not_found') {
    return new Problem('ref_not_found', `There is no branch or tag ${ref}. A commit is neither.`)
  }
  const detail = Object.hasOwn(notDispatchable, code) ? notDispatchable[code] : undefined
  return detail === undefined ? undefined : new Problem('workflow_not_dispatchable', detail)
}
