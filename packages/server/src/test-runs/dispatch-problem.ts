import { Problem } from '@signalbox/contract'
import { toProblem } from '../integrations/ask-provider.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { DispatchRequest } from './test-run-deps.ts'

/** Why a workflow cannot be started, by the code of the refusal. */
const notDispatchable: Readonly<Record<string, string>> = {
  not_found: 'The repository has no such workflow, or we may not see it.',
  no_dispatch_trigger:
    'The workflow cannot be started by hand: add `workflow_dispatch` to its triggers on that branch.',
  workflow_disabled: 'The workflow is disabled. Enable it at the code host.',
  input_required: 'The workflow requires an input that was not given.',
}

/** What a person is told of a workflow that the code host has refused to start. */
export function toDispatchProblem({ ref }: Pick<DispatchRequest, 'ref'>, code: string): Problem {
  if (code === 'ref_not_found') {
    return new Problem('ref_not_found', `There is no branch or tag ${ref}. A commit is neither.`)
  }
  const detail = Object.hasOwn(notDispatchable, code) ? notDispatchable[code] : undefined
  if (detail !== undefined) return new Problem('workflow_not_dispatchable', detail)
  const failure = code === 'forbidden' ? 'forbidden' : 'rejected'
  return toProblem(new ProviderError({ provider: 'github', failure, code }), new Date(0))
}
