import { z } from 'zod'

/** Names what brings a node its snapshots: the database, another delivery, or a store of messages. */
export const carriers = ['database', 'relay', 'nats'] as const
export type Carrier = (typeof carriers)[number]

/** Describes a delivery node for the people who run the server. */
export interface NodeReport {
  /** Holds the machine and the port. Example: `edge-1:4401`. A node that starts again has the same name. */
  readonly name: string
  readonly version: string
  readonly carrier: Carrier
  /** Names the host that feeds the node; `null` where that is the database. */
  readonly fedBy: string | null
  readonly snapshots: number
  /** Holds how old the snapshots were when the node reported; `null`: unknown. */
  readonly ageSeconds: number | null
  /** Says in one sentence why they are not the newest; `null` while they are. */
  readonly fault: string | null
  /** Tells that the node stops as it should, so that nobody misses it. */
  readonly stopping: boolean
  /** Counts the seconds since the node reported. Each node that passes the report on adds its own. */
  readonly agoSeconds: number
}

/** Holds when an API key was last used at a node. */
export interface ReportedUse {
  readonly orgId: string
  readonly keyId: string
  /** Milliseconds since 1970, by the clock of the node. */
  readonly usedAtMs: number
  /** Counts the answers with secrets since the last report. Left out: none, and by nodes that do not count them. */
  readonly secretReads?: number | undefined
}

/** Describes what a node tells the server, and what other nodes have told it, whatever carries it. */
export interface ReplicaReport {
  readonly nodes: readonly NodeReport[]
  /** Lists the uses since the last report. */
  readonly uses: readonly ReportedUse[]
}

/** Limits what one report may hold. What is more goes into the next one. */
export const reportLimits = { nodes: 100, uses: 500, bytes: 256 * 1024 } as const

/** Excludes line breaks and the like: these texts are shown to people and written to logs. */
const line = (most: number) => z.string().regex(new RegExp(`^\\P{Cc}{1,${most}}$`, 'u'))
const seconds = z.number().min(0).max(1e9)

const nodeShape = z.object({
  name: line(100),
  version: line(40),
  carrier: z.enum(carriers),
  fedBy: line(255).nullable(),
  snapshots: z.number().int().min(0).max(1e9),
  ageSeconds: seconds.nullable(),
  fault: line(500).nullable(),
  stopping: z.boolean(),
  agoSeconds: seconds,
})

const id = z.string().regex(/^[a-z]{3}_[0-9a-z]{1,40}$/)

const reportShape = z.object({
  nodes: z.array(nodeShape).max(reportLimits.nodes),
  uses: z
    .array(
      z.object({
        orgId: id,
        keyId: id,
        usedAtMs: z.number().int().min(0).max(8.64e15),
        secretReads: z.number().int().min(0).max(1e9).optional(),
      }),
    )
    .max(reportLimits.uses),
})

/** Renders a report as JSON. */
export function renderReport(report: ReplicaReport): string {
  return JSON.stringify(report)
}

/** Parses a report. Returns `undefined` for what is none. Fields that it does not know are left out. */
export function parseReport(text: string): ReplicaReport | undefined {
  try {
    return reportShape.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Describes what a node may say something about: what its credential gives it. */
export interface ReportScope {
  /** `null`: every organization. */
  readonly orgIds: ReadonlySet<string> | null
  /** `null`: every environment of them. */
  readonly environmentIds: ReadonlySet<string> | null
}

/** Says through what a report came, and what it may say something about. */
export interface ReportSource {
  /** Names the relay key by its id, or the group; `database` for a node that records by itself. */
  readonly reporter: string
  readonly scope: ReportScope
}

/** Describes an API key as far as a report is judged by it. */
export interface ReportedKey {
  readonly orgId: string
  /** `null`: every environment. */
  readonly environmentIds: readonly string[] | null
}

/**
 * Returns the uses that a node may report: of keys that are known, in its organizations, and that read one of its environments. A
 * moment that is yet to come counts as now.
 */
export function keepOwnUses(
  uses: readonly ReportedUse[],
  { orgIds, environmentIds }: ReportScope,
  { findKey, nowMs }: { findKey: (keyId: string) => ReportedKey | undefined; nowMs: number },
): ReportedUse[] {
  const isOwn = ({ orgId, keyId }: ReportedUse): boolean => {
    const key = findKey(keyId)
    if (key === undefined || key.orgId !== orgId) return false
    if (orgIds !== null && !orgIds.has(orgId)) return false
    return (
      environmentIds === null ||
      key.environmentIds === null ||
      key.environmentIds.some((each) => environmentIds.has(each))
    )
  }
  return uses.filter(isOwn).map((use) => ({ ...use, usedAtMs: Math.min(use.usedAtMs, nowMs) }))
}
