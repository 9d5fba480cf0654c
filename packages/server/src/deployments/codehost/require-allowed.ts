import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@signalbox/contract'
import type { Sender } from '../../audit/caller.ts'
import type { CodehostSettings } from '../../integrations/settings-of-kind.ts'
import type { CodehostChoices } from './codehost-choices.ts'

/**
 * Refuses that an API key widens what API keys start: by the list itself, or by a test workflow that is not on it. What is sent
 * back as it was read passes.
 *
 * @throws {Problem} `session_required`, `key_scope_forbidden`
 */
export function requireAllowed(
  { author }: Pick<Sender, 'author'>,
  { keyWorkflows: listed, testWorkflows: present }: CodehostSettings,
  { keyWorkflows = listed, testWorkflows = [] }: CodehostChoices,
): void {
  if (author.type !== 'api_key') return
  if (!isDeepStrictEqual(keyWorkflows, listed)) {
    throw new Problem(
      'session_required',
      'An API key can’t choose which workflows API keys start. Sign in as an admin.',
    )
  }
  if (listed === null) return
  const refused = testWorkflows.findIndex(
    (one) =>
      !present.some((known) => isSame(known, one)) && !listed.some((chosen) => isSame(chosen, one)),
  )
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
