import { BudgetSpent, leaveHalf, type RecordsApi } from '../deployments/sync-budget.ts'
import type { CodehostApi } from '../providers/codehost.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Declared, UndeclaredWorkflow } from './declaration-rows.ts'

const atATime = 8

/**
 * What the files of workflows say, as far as half of the rate limit reaches and the code host answers: the others are read
 * with the next list.
 */
export async function declareWorkflows(
  codehost: CodehostApi,
  workflows: readonly UndeclaredWorkflow[],
  now: () => Date,
): Promise<Declared[]> {
  const records = leaveHalf(codehost, now)
  const declared: Declared[] = []
  for (let from = 0; from < workflows.length; from += atATime) {
    const some = workflows.slice(from, from + atATime)
    const read = await Promise.all(some.map((workflow) => declareOne(records, workflow)))
    declared.push(...read.filter((found) => found !== undefined))
    if (read.includes(undefined)) break
  }
  return declared
}

/** `undefined`: the code host cannot be asked just now. */
async function declareOne(
  records: Pick<RecordsApi, 'readWorkflow'>,
  workflow: UndeclaredWorkflow,
): Promise<Declared | undefined> {
  const { repositoryId, externalId, repositoryExternalId, path } = workflow
  try {
    const declaration = await records.readWorkflow(repositoryExternalId, { workflowId: path })
    return { repositoryId, externalId, declaration }
  } catch (error) {
    if (error instanceof ProviderError || error instanceof BudgetSpent) return undefined
    throw error
  }
}
