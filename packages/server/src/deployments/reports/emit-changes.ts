import type { Tx } from '../../store/store.ts'
import type { DeploymentDeps, DeploymentEvent } from '../deployment-deps.ts'

/**
 * Says what happened to deployments, of which there are mostly one or two: one, and another whose place it takes. Nobody is
 * told of those that were found long after they happened.
 */
export async function emitChanges(
  { emit }: Pick<DeploymentDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  { event, ids }: { readonly event: DeploymentEvent; readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  const news = await tx.query<{ readonly id: string }>({
    name: 'list-deployments-of-news',
    text: 'select id from deployments where org_id = $1 and id = any ($2) and not is_history',
    values: [orgId, ids],
  })
  for (const { id } of news) await emit(tx, event, { orgId, id })
}
