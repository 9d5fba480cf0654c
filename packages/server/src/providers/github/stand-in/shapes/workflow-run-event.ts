import type { components } from '@octokit/openapi-webhooks-types'
import type { GithubAccount, GithubRepository, GithubWorkflow } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toEventContext } from './event-context.ts'
import { toWorkflow } from './workflow.ts'
import { toWorkflowRun, type RunParts } from './workflow-run.ts'

type Schemas = components['schemas']

/** Returns the body of `workflow_run` without the action: its three actions differ in nothing else. */
export function toWorkflowRunEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  parts: RunParts & { readonly workflow: GithubWorkflow; readonly sender: GithubAccount },
) {
  return {
    workflow_run: toWorkflowRun(addresses, repository, parts),
    workflow: toWorkflow(addresses, repository, parts.workflow),
    ...toEventContext(addresses, repository, parts.sender),
  } satisfies Known<Schemas['webhook-workflow-run-requested']> &
    Known<Schemas['webhook-workflow-run-in-progress']> &
    Known<Schemas['webhook-workflow-run-completed']>
}

/** Adds `startup_failure` to the conclusions, and `waiting` to the statuses: some of the official types lack them. */
type Known<Event extends { action: string; workflow_run: object }> = Omit<
  Event,
  'action' | 'workflow_run'
> & { workflow_run: Omit<Event['workflow_run'], 'conclusion' | 'status'> }
