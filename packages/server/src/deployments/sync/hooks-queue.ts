import { findIntegrationRow } from '../../integrations/rows.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Tx } from '../../store/store.ts'

/** Names the queue that gives tracked repositories their webhooks. The job's id is the code host's. */
export const hooksQueue = 'deployments.hooks'

/** Requests a look at the webhooks of an organization's repositories. */
export async function requestHooks(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  orgId: string,
): Promise<void> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
  if (integration === undefined) return
  const { id } = integration
  await jobs.enqueue(tx, hooksQueue, { orgId, id }, { key: id })
}
