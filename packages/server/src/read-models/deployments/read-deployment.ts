import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import { pageDeploymentRows } from './list-rows.ts'
import { findDeploymentDetail } from './detail-rows.ts'
import { presentDeployment } from './present-deployment.ts'

type ListedDeployment = ResponseOf<typeof deploymentEndpoints.createDeployment>

/** Reads one deployment as lists show it, in the transaction that has just written it. */
export async function readDeployment(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<ListedDeployment | undefined> {
  const row = await findDeploymentDetail(tx, orgId, id)
  return row && presentDeployment(row)
}

/** Reads the newest deployments of an organization as lists show them, newest first. */
export async function listNewestDeployments(
  tx: Tx,
  orgId: string,
  limit: number,
): Promise<ListedDeployment[]> {
  const newest = { after: undefined, limit }
  const rows = await pageDeploymentRows(tx, orgId, { environmentIds: null }, newest)
  return rows.map(presentDeployment)
}
