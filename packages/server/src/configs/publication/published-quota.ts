import { Problem } from '@signalbox/contract'
import type { Store, Tx } from '../../store/store.ts'
import type { Publication } from '../../config-model/plan-publication.ts'
import { countPublishedBytes, countReplacedBytes } from './published-bytes-rows.ts'

/** Holds the limits of what is published: every delivery node keeps all of it in memory. */
export interface PublishedLimits {
  readonly perOrganizationBytes: number
  readonly perServerBytes: number
}

/** Refuses publications for which there is no room. */
export interface PublishedQuota {
  /**
   * Checks a publication before it is stored. One that takes no more than what it replaces is always accepted.
   *
   * @throws {Problem} `quota_exceeded`
   */
  require(tx: Tx, orgId: string, publication: Publication): Promise<void>
}

/** An upper bound: what was counted, and everything that this node published since. */
interface Bound {
  bytes: number
  countedAt: number
}

/** Other nodes publish too, so a count is not reused for longer. */
const believedMs = 10_000
const organizationsMax = 10_000

/**
 * Creates the check. Counting costs a look at every current snapshot, so it is done again only when the upper bound passes a
 * limit, and every ten seconds; most writes pass without a query.
 */
export function createPublishedQuota({
  store,
  limits,
  now,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly limits: PublishedLimits
  readonly now: () => Date
}): PublishedQuota {
  const organizations = new Map<string, Bound>()
  let server: Bound | undefined

  const fits = (bound: Bound | undefined, added: number, limit: number): boolean => {
    if (bound === undefined || now().getTime() - bound.countedAt > believedMs) return false
    if (bound.bytes + added > limit) return false
    bound.bytes += added
    return true
  }
  const count = (bytes: number): Bound => ({ bytes, countedAt: now().getTime() })
  return {
    async require(tx, orgId, publication) {
      const added = sizeOf(publication)
      const { perOrganizationBytes, perServerBytes } = limits
      const fitsOrganization = fits(organizations.get(orgId), added, perOrganizationBytes)
      const fitsServer = fits(server, added, perServerBytes)
      if (fitsOrganization && fitsServer) return
      const { bytes, replacedBytes } = await countReplacedBytes(tx, orgId, publication)
      const growth = added - replacedBytes
      if (organizations.size >= organizationsMax) organizations.clear()
      organizations.set(orgId, count(bytes + Math.max(0, growth)))
      if (growth > 0 && bytes + growth > perOrganizationBytes) {
        throw organizationIsFull(bytes + growth, perOrganizationBytes)
      }
      if (fitsServer) return
      // Beside this transaction: what it has stored already, of another schema, is counted the next time.
      const all = await store.maintenance(countPublishedBytes)
      server = count(all + Math.max(0, growth))
      if (growth > 0 && all + growth > perServerBytes) throw serverIsFull(perServerBytes)
    },
  }
}

function sizeOf({ browsers, servers }: Publication): number {
  return [
    ...browsers.map(({ body }) => Buffer.byteLength(body)),
    ...servers.map(({ body, sealedSecrets }) => Buffer.byteLength(body) + sealedSecrets.length),
  ].reduce((sum, bytes) => sum + bytes, 0)
}

const inMiB = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`

function organizationIsFull(bytes: number, limit: number): Problem {
  const detail = `With this write, the snapshots of the organization would have ${inMiB(bytes)}. The limit is ${inMiB(limit)}. Delete environments, schemas or values that nobody needs, or ask an operator of this server for more (SIGNALBOX_PUBLISHED_MIB_PER_ORGANIZATION).`
  return new Problem('quota_exceeded', detail)
}

function serverIsFull(limit: number): Problem {
  const detail = `With this write, the snapshots of all organizations of this server would exceed the limit of ${inMiB(limit)}. Ask an operator of this server for more (SIGNALBOX_PUBLISHED_MIB).`
  return new Problem('quota_exceeded', detail)
}
