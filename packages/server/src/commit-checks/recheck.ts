import { limits } from '@signalbox/contract'
import type { CheckDeps } from './check-deps.ts'
import { listJudgedChecks } from '../read-models/commit-checks/check-rows.ts'
import { lockChecks, saveJudged } from './check-rows.ts'
import { compareChecks } from './compare-checks.ts'
import { listDueOrganizations, takeDue } from './due-rows.ts'

const takenAtOnce = 20

/** Compares the checks of every organization in which something has changed that they depend on. One that fails keeps no other from it. */
export async function recheckDue(deps: CheckDeps): Promise<void> {
  const due = await deps.store.maintenance((tx) =>
    listDueOrganizations(tx, { now: deps.now(), limit: takenAtOnce }),
  )
  const errors: unknown[] = []
  for (const orgId of due)
    await recheckOrganization(deps, orgId).catch((error: unknown) => errors.push(error))
  if (errors.length > 0)
    throw new AggregateError(errors, 'Some checks of commits were not compared')
}

/**
 * Compares the open checks of an organization. What made them due is deleted first and in the same transaction: what is committed
 * before is seen by the reads after it, what is committed later makes them due again, and a failure leaves them due.
 */
async function recheckOrganization(deps: CheckDeps, orgId: string): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    await lockChecks(tx, orgId)
    if (!(await takeDue(tx, orgId))) return
    const openMax = limits.openChecksPerRepository
    const judged = await listJudgedChecks(tx, orgId, { repositoryId: null, openMax })
    await saveJudged(tx, orgId, judged)
    await compareChecks(deps, tx, orgId)
  })
}
