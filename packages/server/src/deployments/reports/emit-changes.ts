import type { Tx } from '../../store/store.ts'
import type { DeploymentDeps, DeploymentEvent } from '../deployment-deps.ts'

/**
 * Emits an event for each deployment, mostly one or two: a deployment, and the one that it supersedes. Leaves out deployments that
 * were found long after they happened.
 */
export async function emitChanges(
  { emit }: Pick<DeploymentDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  { event, ids }: { readonly event: DeploymentEvent; readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  const changed = await tx.query<{ readonly id: string }>({
    name: 'list-deployments-of-news',
    text: 'select id from deployments where org_id = $1 and id = any ($2) and not is_history',
    values: [orgId, ids],
  })
  for (const { id } of changed) await emit(tx, event, { orgId, id })
}
