import {
  keepOwnUses,
  type NodeReport,
  type ReplicaReport,
  type ReportedKey,
  type ReportSource,
} from '../../replica/report.ts'
import type { Store } from '../../store/store.ts'
import { recordDeliveryNodes, type DeliveryNodeRow } from './node-rows.ts'

/** More than a key reads in a minute. */
const readsMax = 1_000_000_000

/** Records the reports of nodes without a database, whatever carried them. */
export interface ReportRecorder {
  /** Records the nodes at once. Rejects when the database is away; the sender then repeats it. */
  readonly recordReport: (report: ReplicaReport, source: ReportSource) => Promise<void>
  /** Returns the uses of API keys since the last call. */
  takeUses(): TakenUse[]
}

/** Holds the last use of an API key, with the reads of secrets that came with it. */
interface TakenUse {
  readonly orgId: string
  readonly keyId: string
  readonly usedAt: Date
  readonly secretReads?: number
}

export interface ReportRecorderDeps {
  readonly store: Pick<Store, 'delivery'>
  readonly findKey: (keyId: string) => ReportedKey | undefined
  readonly now: () => Date
}

/** Creates a recorder. It keeps at most one use of each known key until they are taken. */
export function createReportRecorder({ store, findKey, now }: ReportRecorderDeps): ReportRecorder {
  const latest = new Map<string, TakenUse>()
  return {
    async recordReport({ nodes, uses }, { reporter, scope }) {
      const nowMs = now().getTime()
      if (nodes.length > 0) {
        const rows = nodes.map((node) => toRow(node, nowMs))
        await recordDeliveryNodes(store.delivery, reporter, rows)
      }
      for (const use of keepOwnUses(uses, scope, { findKey, nowMs })) {
        const { orgId, keyId } = use
        const known = latest.get(keyId)
        const usedAt = new Date(Math.max(known?.usedAt.getTime() ?? 0, use.usedAtMs))
        const reads = (known?.secretReads ?? 0) + (use.secretReads ?? 0)
        // A relay that reports nonsense does not stop the counts of the others.
        const secretReads = Math.min(reads, readsMax)
        latest.set(keyId, { orgId, keyId, usedAt, ...(secretReads > 0 && { secretReads }) })
      }
    },
    takeUses() {
      const taken = [...latest.values()]
      latest.clear()
      return taken
    },
  }
}

/** Counts back from the clock of this process: that of the node may be wrong. */
function toRow(node: NodeReport, nowMs: number): DeliveryNodeRow {
  const { name, version, carrier, fedBy, snapshots, ageSeconds, fault, stopping } = node
  const reportedAtMs = nowMs - node.agoSeconds * 1000
  const asOf = ageSeconds === null ? null : new Date(reportedAtMs - ageSeconds * 1000)
  return {
    name,
    version,
    carrier,
    fed_by: fedBy,
    snapshots,
    as_of: asOf,
    fault,
    reported_at: new Date(reportedAtMs),
    stopping,
  }
}
