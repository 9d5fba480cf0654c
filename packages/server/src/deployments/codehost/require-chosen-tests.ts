import { Problem } from '@signalbox/contract'
import type { Sender } from '../../audit/caller.ts'
import type { CodehostSettings } from '../../integrations/settings-of-kind.ts'
import type { CodehostChoices } from './codehost-choices.ts'

/**
 * Refuses that an API key adds a test workflow that is none of those that keys start: the next deployment would start it.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function requireChosenTests(
  { author }: Pick<Sender, 'author'>,
  { keyWorkflows, testWorkflows: present }: CodehostSettings,
  { testWorkflows = [] }: CodehostChoices,
): void {
  if (author.type !== 'api_key' || keyWorkflows === null) return
  const allowed = [...present, ...keyWorkflows]
  const refused = testWorkflows.findIndex((one) => !allowed.some((known) => isSame(known, one)))
  if (refused === -1) return
  const pointer = `/testWorkflows/${refused}/workflowId`
  throw new Problem('key_scope_forbidden', notChosen, {
    errors: [{ pointer, code: 'key_scope_forbidden', detail: notChosen }],
  })
}

/** Says why an API key does not start a workflow, and who can change that. */
export const notChosen =
  'API keys start only the workflows that an admin has chosen, and this is none of them. An admin can add it under Integrations.'

interface NamedWorkflow {
  readonly repositoryId?: string | undefined
  readonly workflowId: string
}

function isSame(one: NamedWorkflow, other: NamedWorkflow): boolean {
  return one.workflowId === other.workflowId && one.repositoryId === other.repositoryId
}
