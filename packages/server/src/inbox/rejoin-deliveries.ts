import type { Jobs } from '../jobs/jobs.ts'
import type { Tx } from '../store/store.ts'
import { noRunYet } from './delivery.ts'
import { reopenIgnored } from './delivery-rows.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'

export interface RejoinDeliveries {
  readonly orgId: string
  /** The provider's number. */
  readonly repositoryId: string
  /** Only what came later: whoever has just learned of a run begins at the moment when it was asked for. */
  readonly receivedAfter: Date
}

/**
 * Takes up webhooks of workflow runs that came before their test run was known, in the transaction that makes it known.
 * Answers how many.
 */
export async function rejoinDeliveries(
  jobs: Pick<Jobs, 'enqueueAll'>,
  tx: Tx,
  rejoin: RejoinDeliveries,
): Promise<number> {
  const reopened = await reopenIgnored(tx, { ...rejoin, reason: noRunYet })
  await enqueueDeliveries(jobs, tx, reopened)
  return reopened.length
}
