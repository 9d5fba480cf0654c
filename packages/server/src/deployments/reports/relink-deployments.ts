import type { Tx } from '../../store/store.ts'
import { readChainPiece, writeLinks, type ChainPosition } from './chain-rows.ts'
import { linkDeployments, type LinkedDeployment } from './link-deployments.ts'

/**
 * Links the neighbours of some positions again, and returns the deployments that changed. The caller holds the lock of the
 * repository.
 */
export async function relinkDeployments(
  tx: Tx,
  orgId: string,
  positions: readonly ChainPosition[],
): Promise<Map<string, LinkedDeployment>> {
  const changed = new Map<string, LinkedDeployment>()
  // There are one or two: the present position of a deployment, and its former one.
  for (const position of positions) {
    const links = linkDeployments(await readChainPiece(tx, orgId, position))
    if (links.length > 0) await writeLinks(tx, orgId, links)
    for (const link of links) changed.set(link.id, link)
  }
  return changed
}
