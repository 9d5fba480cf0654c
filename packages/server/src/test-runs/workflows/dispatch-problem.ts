import { Problem } from '@signalbox/contract'
import { displayNameOfKind } from '../../providers/find-provider.ts'
import { renderStartableAdvice } from './startable-advice.ts'

/** Says why a workflow cannot be started, by the code of the error. */
const notDispatchable = (provider: string | undefined): Readonly<Record<string, string>> => ({
  not_found: 'The repository has no such workflow, or Signalbox may not see it.',
  no_dispatch_trigger: `The workflow has no manual trigger on this branch: ${renderStartableAdvice(provider)} there.`,
  workflow_disabled: `The workflow is disabled. Enable it on ${displayNameOfKind('codehost', provider)}.`,
  variables_forbidden: `The repository takes no variables for its pipelines: ${renderStartableAdvice(provider)}, or allow variables in its settings.`,
  variables_only: `The repository takes no variables for its pipelines, and this version of ${displayNameOfKind('codehost', provider)} takes no inputs. Allow variables in the settings of the repository, or update it.`,
  input_required: 'A required input of the workflow is missing.',
})

/** Returns the problem of a workflow that cannot be started as it is; `undefined` for a code of another kind. `provider`: the code host. */
export function toDispatchProblem(
  ref: string,
  code: string,
  provider?: string,
): Problem | undefined {
  if (code === 'ref_not_found') {
    return new Problem(
      'ref_not_found',
      `There is no branch or tag ${ref}. A workflow cannot run on a commit.`,
    )
  }
  const details = notDispatchable(provider)
  const detail = Object.hasOwn(details, code) ? details[code] : undefined
  return detail === undefined ? undefined : new Problem('workflow_not_dispatchable', detail)
}
