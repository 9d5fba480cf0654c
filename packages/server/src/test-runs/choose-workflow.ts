import type { z } from 'zod'
import type { testWorkflow } from '@signalbox/contract/rest'

export type TestWorkflow = z.output<typeof testWorkflow>

/** What decides whether a deployment is tested. */
export interface TestableDeployment {
  readonly id: string
  readonly state: string
  /** The provider's number; `null`: reported by a pipeline, so no code host could run anything. */
  readonly repositoryExternalId: string | null
  readonly environmentId: string | null
  readonly isProduction: boolean
  /** When it went live. */
  readonly liveAt: Date
  /** Whether a later deployment to the same place has succeeded already. */
  readonly isReplaced: boolean
}

/** A workflow that a deployment is to be tested by, not before `notBefore`. */
export interface ChosenWorkflow {
  readonly workflow: TestWorkflow
  readonly ruleKey: string
  readonly notBefore: Date
}

/** What names a workflow among those that test a deployment: the same one is never run twice for it. */
function toRuleKey({ workflowId }: Pick<TestWorkflow, 'workflowId'>): string {
  return `workflow:${workflowId}`
}

/** The workflows that a deployment is tested by. The first of the settings counts where two name the same one. */
export function chooseWorkflows(
  deployment: TestableDeployment,
  workflows: readonly TestWorkflow[],
): ChosenWorkflow[] {
  if (deployment.state !== 'success' || deployment.isReplaced) return []
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
  // Tests write: nobody's production is tested unless somebody named it.
  if (workflow.environmentIds === undefined) return !isProduction
  return environmentId !== null && workflow.environmentIds.includes(environmentId)
}
