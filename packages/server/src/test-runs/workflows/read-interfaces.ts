import { BudgetSpent, leaveHalf, type RecordsApi } from '../../deployments/sync/sync-budget.ts'
import type { CodehostApi } from '../../providers/codehost.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { InterfaceRow, ReadableWorkflow } from './interface-rows.ts'

type LocatedWorkflow = ReadableWorkflow & { readonly repositoryExternalId: string }

const atATime = 8

/**
 * Reads the inputs of workflows, as far as half of the rate limit suffices and the code host answers. The next list reads the
 * others.
 */
export async function readInterfaces(
  codehost: CodehostApi,
  workflows: readonly LocatedWorkflow[],
  now: () => Date,
): Promise<InterfaceRow[]> {
  const records = leaveHalf(codehost, now)
  const interfaces: InterfaceRow[] = []
  for (let from = 0; from < workflows.length; from += atATime) {
    const some = workflows.slice(from, from + atATime)
    const read = await Promise.all(some.map((workflow) => readOneInterface(records, workflow)))
    interfaces.push(...read.filter((row) => row !== undefined))
    if (read.includes(undefined)) break
  }
  return interfaces
}

/** Returns `undefined` where the code host cannot be asked just now. */
async function readOneInterface(
  { workflows }: Pick<RecordsApi, 'workflows'>,
  workflow: LocatedWorkflow,
): Promise<InterfaceRow | undefined> {
  const { repositoryId, externalId, repositoryExternalId, path } = workflow
  try {
    const of = { workflowId: path }
    const read = await workflows.readInterface(repositoryExternalId, of)
    return { repositoryId, externalId, interface: read }
  } catch (error) {
    if (error instanceof ProviderError || error instanceof BudgetSpent) return undefined
    throw error
  }
}
