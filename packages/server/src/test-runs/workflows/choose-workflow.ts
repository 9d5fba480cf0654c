import type { z } from 'zod'
import type { testWorkflow } from '@signalbox/contract/rest'

/** Describes a workflow that tests deployments, as an organization has chosen it. */
export type TestWorkflow = z.output<typeof testWorkflow>

/** Describes what decides how a deployment is tested. */
export interface TestableDeployment {
  readonly id: string
  /** It went live, though it may have been replaced since. */
  readonly wasLive: boolean
  /** The code host's id; `null`: reported by a pipeline, so no code host could run anything. */
  readonly repositoryExternalId: string | null
  readonly environmentId: string | null
  readonly isProduction: boolean
  /** When it went live. */
  readonly liveAt: Date
}

/** Describes a workflow that tests a deployment, not before `notBefore`. */
export interface ChosenWorkflow {
  readonly workflow: TestWorkflow
  readonly ruleKey: string
  readonly notBefore: Date
}

/** Returns the name of a workflow among those that test a deployment: the same one is never run twice for it. */
function toRuleKey({ workflowId }: Pick<TestWorkflow, 'workflowId'>): string {
  return `workflow:${workflowId}`
}

/**
 * Returns the workflows that test a deployment which went live. The first of the settings counts where two name the same one. One that
 * was replaced since has them too: why they do not run is said of each.
 */
export function chooseWorkflows(
  deployment: TestableDeployment,
  workflows: readonly TestWorkflow[],
): ChosenWorkflow[] {
  if (!deployment.wasLive) return []
  const chosen = new Map<string, ChosenWorkflow>()
  for (const workflow of workflows) {
    const ruleKey = toRuleKey(workflow)
    if (chosen.has(ruleKey) || !fits(deployment, workflow)) continue
    const notBefore = new Date(deployment.liveAt.getTime() + workflow.debounceSeconds * 1000)
    chosen.set(ruleKey, { workflow, ruleKey, notBefore })
  }
  return [...chosen.values()]
}

function fits(deployment: TestableDeployment, workflow: TestWorkflow): boolean {
  const { repositoryExternalId, environmentId, isProduction } = deployment
  if (repositoryExternalId === null) return false
  if ((workflow.repositoryId ?? repositoryExternalId) !== repositoryExternalId) return false
  // Tests write data: production is tested only when the settings name it.
  if (workflow.environmentIds === undefined) return !isProduction
  return environmentId !== null && workflow.environmentIds.includes(environmentId)
}
