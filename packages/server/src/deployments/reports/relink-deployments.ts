import type { Tx } from '../../store/store.ts'
import { readChainPiece, writeLinks, type ChainPosition } from './chain-rows.ts'
import { linkDeployments, type LinkedDeployment } from './link-deployments.ts'

/**
 * Links what is next to some positions anew and answers the deployments that changed by it. The caller holds the lock of
 * the repository.
 */
export async function relinkDeployments(
  tx: Tx,
  orgId: string,
  positions: readonly ChainPosition[],
): Promise<Map<string, LinkedDeployment>> {
  const changed = new Map<string, LinkedDeployment>()
  // One or two: where it stands, and where it stood.
  for (const position of positions) {
    const links = linkDeployments(await readChainPiece(tx, orgId, position))
    if (links.length > 0) await writeLinks(tx, orgId, links)
    for (const link of links) changed.set(link.id, link)
  }
  return changed
}
